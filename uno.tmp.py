import sys, json, time, statistics, os
sys.path.insert(0, '/work/wt/document/engines/libreoffice')
os.environ['SAL_USE_VCLPLUGIN']='svp'
from office_process import start
import converter
d = start('/usr/lib/libreoffice/program')
spec = json.dumps({"load": {"FilterName": "MS Word 2007 XML"}, "store": {"FilterName": "writer_pdf_Export"}, "service": "com.sun.star.text.TextDocument"})
for f in sys.argv[1:]:
    t=[]
    for i in range(15):
        a=time.time(); converter.convert(d, f, '/tmp/docd/uno.pdf', spec); t.append((time.time()-a)*1000)
    print(os.path.basename(f), 'bare uno median', round(statistics.median(t)), 'min', round(min(t)))
d.terminate()
