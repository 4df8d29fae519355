"""Runs OpenStack Swift with its S3 interface in one folder: object-store.py FOLDER PORT. Serves on loopback until killed."""
import os
import sys

folder, port = sys.argv[1], int(sys.argv[2])
os.makedirs(f'{folder}/disks/disk', exist_ok=True)

# Before any other import of Swift: otherwise its configuration folder is /etc/swift.
import swift.common.utils as utils
utils.SWIFT_CONF_FILE = f'{folder}/swift.conf'
with open(utils.SWIFT_CONF_FILE, 'w') as file:
    file.write('[swift-hash]\nswift_hash_path_suffix = test\n[storage-policy:0]\nname = one\ndefault = yes\n')

from swift.common.ring import RingBuilder
from swift.common.wsgi import run_wsgi

# By default, a server on a busy machine that does not accept a connection within half a second is down, and a listing lacks
# an object whose entry takes longer than a second.
FRAME = f'''[DEFAULT]
bind_ip = 127.0.0.1
bind_port = %d
swift_dir = {folder}
devices = {folder}/disks
mount_check = false
workers = 0
user = {os.environ.get('USER') or 'root'}
log_address = {folder}/log
fallocate_reserve = 0
conn_timeout = 60
node_timeout = 60
recoverable_node_timeout = 60
container_update_timeout = 60
error_suppression_limit = 1000000
[pipeline:main]
pipeline = %s
'''

PROXY = '''[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
location = eu-test-1
[filter:tempauth]
use = egg:swift#tempauth
user_athanor_ada = s3cret .admin
[filter:slo]
use = egg:swift#slo
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:gatekeeper]
use = egg:swift#gatekeeper
'''


def write(kind, at, pipeline, more):
    with open(f'{folder}/{kind}.conf', 'w') as file:
        file.write(FRAME % (at, pipeline) + more)


for offset, kind in enumerate(['account', 'container', 'object'], 1):
    builder = RingBuilder(2, 1, 0)
    builder.add_dev({'id': 0, 'region': 1, 'zone': 1, 'weight': 1.0, 'ip': '127.0.0.1', 'port': port + offset,
                     'device': 'disk'})
    builder.rebalance()
    builder.get_ring().save(f'{folder}/{kind}.ring.gz')
    write(kind, port + offset, f'{kind}-server', f'[app:{kind}-server]\nuse = egg:swift#{kind}\n')
    if os.fork() == 0:
        sys.exit(run_wsgi(f'{folder}/{kind}.conf', f'{kind}-server'))
write('proxy', port, 'catch_errors gatekeeper listing_formats cache s3api tempauth slo proxy-server', PROXY)
sys.exit(run_wsgi(f'{folder}/proxy.conf', 'proxy-server'))
