"""Takes the pages of a comic out of a zip, in reading order: `pages.py [--pdf] [--title=TITLE] INPUT OUTPUT`.

The output is a zip whose names are the numbers of the pages, or a PDF. Pictures keep their bytes where readers show them.
"""

import io
import os
import re
import sys
import zipfile

import img2pdf
from PIL import Image, ImageOps

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from refusal.refusal import refuse  # noqa: E402

# Pages, bytes of one page, and pixels of one page, at most.
MOST, LARGEST = 5000, 200_000_000
Image.MAX_IMAGE_PIXELS = 134_000_000

SHOWN = {'JPEG': 'jpg', 'PNG': 'png', 'GIF': 'gif', 'WEBP': 'webp'}
PICTURE = re.compile(r'\.(jpe?g|jfif|png|gif|webp|bmp|tiff?|avif|jxl|hei[cf]|jp2)$', re.I)
# Folders and files that programs leave behind.
CLUTTER = re.compile(r'(^|/)(__MACOSX|\.|@eaDir|thumbs\.db)', re.I)

# Points of a page's height in PDF: that of a printed comic. Scans of one comic often disagree about their resolution.
HEIGHT = 738


def natural(name):
    """Sorts page 2 before page 10, folder by folder."""
    return [[(0, int(part)) if part.isdigit() else (1, part.casefold()) for part in re.split(r'(\d+)', piece) if part] for piece in name.split('/')]


def pages_of(archive):
    """The members that are pages, in reading order."""
    members = [member for member in archive.infolist() if not member.is_dir()]
    # Links are no pages.
    files = [member for member in members if (member.external_attr >> 28) in (0, 8)]
    pages = [member for member in files if PICTURE.search(member.filename) and not CLUTTER.search(member.filename)]
    if not pages:
        refuse('The comic has no pages: the archive holds no pictures')
    if len(pages) > MOST or any(page.file_size > LARGEST for page in pages):
        refuse('The comic has more than 5,000 pages, or one of more than 200 MB', 'RESOURCE_LIMIT')
    return sorted(pages, key=lambda page: natural(page.filename))


def shown(archive, page):
    """A page in a format that every reader shows, and its extension. None if it is damaged."""
    content = archive.read(page)
    try:
        picture = Image.open(io.BytesIO(content))
        if picture.format in SHOWN:
            return content, SHOWN[picture.format]
        return encoded(picture.convert('RGB'), 'PNG'), 'png'
    except Image.DecompressionBombError:
        refuse('A page of the comic has more than 268 megapixels', 'RESOURCE_LIMIT')
    except Exception as error:
        print(f'{page.filename}: {error}'.encode('ascii', 'replace').decode(), file=sys.stderr)
        return None


def encoded(picture, kind, **how):
    out = io.BytesIO()
    picture.save(out, kind, **how)
    return out.getvalue()


def printable(content):
    """A picture that can stand in a PDF as it is, or the same in another encoding."""
    picture = Image.open(io.BytesIO(content))
    plain = picture.mode in ('1', 'L', 'P', 'RGB') and 'transparency' not in picture.info
    if picture.format in ('JPEG', 'PNG') and (plain or picture.format == 'JPEG'):
        return content
    lossy = picture.format == 'WEBP'
    picture = ImageOps.exif_transpose(picture).convert('RGBA')
    white = Image.new('RGB', picture.size, 'white')
    white.paste(picture, mask=picture.getchannel('A'))
    return encoded(white, 'JPEG', quality=90) if lossy else encoded(white, 'PNG')


def layout(width, height, _):
    """All pages are equally high; a double page is wider."""
    size = (HEIGHT * width / height, HEIGHT)
    return (*size, *size)


def main(flags, source, target):
    titles = [flag.partition('=')[2] for flag in flags if flag.startswith('--title=')]
    with zipfile.ZipFile(source) as archive:
        pages = pages_of(archive)
        found = [page for page in (shown(archive, page) for page in pages) if page]
        if len(found) < len(pages):
            refuse(f'{len(pages) - len(found)} of {len(pages)} pages of the comic are damaged, or in a format that cannot be read')
        if '--pdf' in flags:
            with open(target, 'wb') as file:
                rotation = img2pdf.Rotation.ifvalid
                contents = [printable(content) for content, _ in found]
                img2pdf.convert(contents, outputstream=file, layout_fun=layout, rotation=rotation, title=titles[0] if titles else None)
            return
        with zipfile.ZipFile(target, 'w', zipfile.ZIP_STORED) as packed:
            for number, (content, ending) in enumerate(found, 1):
                packed.writestr(zipfile.ZipInfo(f'page-{number:04}.{ending}'), content)


if __name__ == '__main__':
    main(sys.argv[1:-2], *sys.argv[-2:])
