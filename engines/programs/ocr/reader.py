"""A plugin of OCRmyPDF: how pages are drawn for Tesseract and read by it, and how progress is told."""

import json
import math
import subprocess
from pathlib import Path

import hocr
import languages
import layer
from ocrmypdf import OcrEngine, hookimpl
from ocrmypdf.pluginspec import OrientationConfidence
from PIL import Image

# Pixels of a page that Tesseract reads well and fast: A4 at 180 to 350 dpi. Small pictures are enlarged at most 3 times.
FEW, ENOUGH, MANY, ENLARGED = 3e6, 6e6, 12e6, 3
# Pixels that are enough to see which way up a page is.
PREVIEW = 4e6
# Seconds after which a page is given up.
PATIENCE = 300
# Fewer words that Tesseract is sure of are taken for noise in a photo or a drawing, unless they are most of all words.
NOISE = 3
# The same on a picture behind text, which may well be no scan.
NOISE_BEHIND_TEXT = 4

# What is known of pages by number: size in inches, script, the picture that was read and its turn, what was read.
sizes, scripts, pictures, turns, readings = {}, {}, {}, {}, {}
# The pages to read by number, as `survey.unread` names them, and a file in which they have no legible text.
kinds, bare = {}, []
# The languages to read, most wanted first: OCRmyPDF forgets their order.
wanted = []
# Called with the number of each page that was read, while its picture exists.
told = []


def number_of(path):
    """The number of a page: OCRmyPDF's names begin with it."""
    return int(Path(path).name[:6])


def tesseract(image, *args):
    """What Tesseract prints. Without its own threads: pages are read side by side."""
    command = ["tesseract", str(image), *args]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE, check=False)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def grey(image):
    """A picture in shades of grey, with its resolution."""
    made = image.convert("L")
    made.info["dpi"] = image.info["dpi"]
    return made


@hookimpl
def validate(pdfinfo, options):
    for page in pdfinfo:
        number = page.pageno + 1
        sizes[number] = (float(page.width_inches), float(page.height_inches))
        # OCRmyPDF would not read pages that have any text.
        page._has_text = number not in kinds
        page._has_vector = True


@hookimpl
def rasterize_pdf_page(input_file, output_file, raster_dpi, pageno, page_dpi, rotation):
    """Draws a page in its own resolution, within bounds."""
    width, height = sizes[pageno]
    source = bare[0] if kinds.get(pageno) in ("scan", "garbled") else input_file
    dpi = raster_dpi.x
    pixels = max(1, width * height * dpi * dpi)
    most = MANY if str(output_file).endswith(".png") else PREVIEW
    if pixels < FEW:
        dpi *= min(ENLARGED, math.sqrt(ENOUGH / pixels))
    elif pixels > most:
        dpi *= math.sqrt(most / pixels)
    stem = f"{output_file}.page"
    number = str(pageno)
    # Never larger than asked for, also where the page's own units or its resolution are wrong.
    size = ["-scale-to", "12000"] if max(width, height) * dpi > 12000 else ["-r", f"{dpi:.2f}"]
    command = ["pdftoppm", "-f", number, "-l", number, "-singlefile", *size, str(source), stem]
    subprocess.run(command, check=True, timeout=PATIENCE)
    with Image.open(f"{stem}.ppm") as image:
        upright = image.rotate(rotation, expand=True) if rotation else image
        kind = {"compress_level": 1} if str(output_file).endswith(".png") else {"quality": 90}
        upright.save(output_file, dpi=(300, 300), **kind)
    Path(f"{stem}.ppm").unlink()
    pictures[pageno], turns[pageno] = output_file, rotation or 0
    return output_file


@hookimpl
def filter_ocr_image(page, image):
    """Tesseract takes no notice of colours."""
    return grey(image)


def read(image, stem, chosen):
    """Reads a picture in these languages; None if it takes too long or Tesseract refuses it."""
    try:
        code, _ = tesseract(image, stem, "--dpi", "300", "-l", "+".join(chosen), "hocr")
    except subprocess.TimeoutExpired:
        return None
    made = stem.with_suffix(".hocr")
    return hocr.read(made) if code == 0 and made.exists() else None


class Reader(OcrEngine):
    """Tesseract, with languages for each page."""

    @staticmethod
    def version():
        return tesseract("--version")[1].split()[1]

    @staticmethod
    def creator_tag(options):
        return "Tesseract"

    def __str__(self):
        return "Tesseract"

    @staticmethod
    def languages(options):
        return set(languages.installed())

    @staticmethod
    def get_orientation(input_file, options):
        code, output = tesseract(input_file, "stdout", "-l", "osd", "--psm", "0")
        found = dict(line.split(": ", 1) for line in output.splitlines() if ": " in line)
        if code or "Script" not in found:
            return OrientationConfidence(0, 0)
        if float(found.get("Script confidence", 0)) >= 0.5:
            scripts[number_of(input_file)] = found["Script"].strip()
        return OrientationConfidence(int(found["Orientation in degrees"]), float(found["Orientation confidence"]))

    @staticmethod
    def generate_hocr(input_file, output_hocr, output_text, options):
        raise NotImplementedError

    @staticmethod
    def generate_pdf(input_file, output_pdf, output_text, options):
        number = number_of(input_file)
        chosen = languages.choose(wanted, scripts.get(number))
        Path(output_text).write_text("", encoding="utf-8")
        # An empty file is a page without text.
        Path(output_pdf).write_bytes(b"")
        stem = Path(output_pdf).with_suffix("")
        reading = read(input_file, stem, chosen)
        if reading is None:
            return
        main = reading.language()
        if main in chosen[1:]:
            # The first language decides where letters look alike. The next pages begin with the one found.
            chosen = [main, *(name for name in chosen if name != main)]
            wanted.sort(key=lambda name: name != main)
            reading = read(input_file, stem, chosen) or reading
        words = reading.words()
        least = NOISE_BEHIND_TEXT if kinds[number] == "scan" else NOISE
        if words == 0 or (words < least and words * 2 < sum(len(line.words) for line in reading.lines)):
            return
        layer.write(reading, output_pdf)
        readings[number] = reading
        for tell in told:
            tell(number)


@hookimpl
def get_ocr_engine():
    return Reader()


class Progress:
    """Prints the share of pages that are read."""

    def __init__(self, total=None, desc=None, **_):
        self.total, self.done = desc == "OCR" and total, 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False

    def update(self, count=1):
        self.done += count
        if self.total:
            print(json.dumps({"progress": round(self.done / self.total, 3)}), flush=True)


@hookimpl
def get_progressbar_class():
    return Progress
