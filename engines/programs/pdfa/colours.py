"""Colours: an output intent for grey and RGB, and a profile for inks (ISO 19005-2, 6.2.3 and 6.2.4)."""

import re

from pikepdf import Array, Dictionary, Name, Stream, String
from walk import arrays, dictionaries, drop, named, part

PROFILES = "/usr/share/color/icc/ghostscript"
SRGB, INKS, GREY = (f"{PROFILES}/{name}.icc" for name in ("srgb", "default_cmyk", "sgray"))

# Colour spaces of profiles (ICC.1, 7.2.6), by their number of channels.
CHANNELS = {b"GRAY": 1, b"RGB ": 3, b"Lab ": 3, b"CMYK": 4}

# Setting a colour by four inks, and naming their space. Finding more than there is does no harm.
INKED = re.compile(rb"[\d.]\s+(?:-?[\d.]+\s+){3}[kK](?=\s|$)|/(?:DeviceCMYK|CMYK)\b")
FONT_PROGRAMS = ("/Type1C", "/CIDFontType0C", "/OpenType", "/XML")

BLENDS = {
    f"/{name}" for name in (
        "Normal Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight Difference Exclusion Hue "
        "Saturation Color Luminosity"
    ).split()
}  # fmt: skip


def mend(pdf):
    profiles = Profiles(pdf)
    clear = False
    for array in arrays(pdf):
        mend_space(array, profiles)
    inked = uses_inks(pdf)
    for found in dictionaries(pdf):
        clear = mend_state(found) or clear
        group = found.get("/Group")
        if isinstance(group, Dictionary) and named(group.get("/CS")) == "/DeviceCMYK":
            group.CS = profiles.inks()
        resources = part(found, "/Resources")
        if inked and resources is not None:
            spaces = part(resources, "/ColorSpace")
            if spaces is None:
                spaces = resources.ColorSpace = Dictionary()
            if "/DefaultCMYK" not in spaces:
                spaces.DefaultCMYK = profiles.inks()
    for page in pdf.pages if clear else []:
        group = part(page.obj, "/Group")
        if group is None:
            page.obj.Group = Dictionary(S=Name.Transparency, CS=Name.DeviceRGB)
        elif "/CS" not in group:
            group.CS = Name.DeviceRGB
    pdf.Root.OutputIntents = Array([profiles.intent()])


class Profiles:
    """The profiles of a PDF: those of its own output intents, else usual ones."""

    def __init__(self, pdf):
        self.pdf = pdf
        self.made = {}
        intents = part(pdf.Root, "/OutputIntents", Array)
        for intent in intents if intents is not None else []:
            profile = part(intent, "/DestOutputProfile", Stream) if isinstance(intent, Dictionary) else None
            channels = channels_of(profile) if profile is not None else 0
            if channels in (3, 4) and channels not in self.made:
                profile.N = channels
                self.made[channels] = profile
                if channels == 3:
                    self.name = intent.get("/OutputConditionIdentifier")

    name = None

    def of(self, channels):
        if channels not in self.made:
            with open({1: GREY, 3: SRGB, 4: INKS}[channels], "rb") as file:
                alternate = {1: Name.DeviceGray, 3: Name.DeviceRGB, 4: Name.DeviceCMYK}[channels]
                stream = Stream(self.pdf, file.read(), N=channels, Alternate=alternate)
                self.made[channels] = self.pdf.make_indirect(stream)
        return self.made[channels]

    def inks(self):
        return Array([Name.ICCBased, self.of(4)])

    def intent(self):
        return self.pdf.make_indirect(
            Dictionary(
                Type=Name.OutputIntent,
                S=Name.GTS_PDFA1,
                OutputConditionIdentifier=self.name if isinstance(self.name, String) else String("sRGB IEC61966-2.1"),
                DestOutputProfile=self.of(3),
            )
        )


def channels_of(profile):
    """The number of channels of a stream with an ICC profile of version 2 to 4; 0 if it is none."""
    try:
        data = profile.read_bytes()
    except Exception:  # pikepdf has several for streams that cannot be decoded.
        return 0
    sound = len(data) >= 128 and data[36:40] == b"acsp" and data[8] in (2, 4)
    return CHANNELS.get(data[16:20], 0) if sound else 0


def mend_space(array, profiles):
    """Replaces profiles that are damaged, and inks below other spaces."""
    kind = named(array[0]) if len(array) else ""
    if kind == "/ICCBased" and len(array) > 1 and isinstance(array[1], Stream):
        said = array[1].get("/N")
        if said not in (1, 3, 4):
            said = channels_of(array[1]) or 3
        if channels_of(array[1]) != said:
            array[1] = profiles.of(said)
        drop(array[1], "/Metadata")
    place = {"/Separation": 2, "/DeviceN": 2, "/Indexed": 1, "/Pattern": 1}.get(kind)
    if place and len(array) > place and named(array[place]) == "/DeviceCMYK":
        array[place] = profiles.inks()


def uses_inks(pdf):
    """Whether pages, pictures or forms use inks without a profile."""
    for top in pdf.objects:
        if isinstance(top, Stream):
            if named(top.get("/Subtype")) == "/Image":
                if named(top.get("/ColorSpace")) == "/DeviceCMYK":
                    return True
            elif may_draw(top) and INKED.search(content(top)):
                return True
    return any(
        named(found.get(key)) == "/DeviceCMYK"
        for found in dictionaries(pdf)
        for key in list(found.keys())
        if key in ("/CS", "/ColorSpace") or not isinstance(found, Stream)
    )


def may_draw(stream):
    """Whether a stream can be the contents of a page, a form or a glyph."""
    kind, own = named(stream.get("/Type")), named(stream.get("/Subtype"))
    apart = any(key in stream for key in ("/Length1", "/N", "/FunctionType"))
    return kind in ("", "/XObject", "/Pattern") and own not in FONT_PROGRAMS and not apart


def content(stream):
    """The bytes of a stream; none if they cannot be decoded."""
    try:
        return stream.read_bytes()
    except Exception:  # pikepdf has several for streams that cannot be decoded.
        return b""


def is_resources(found):
    """Whether a dictionary names fonts or drawings, which may have the names of settings."""
    values = [found.get(key) for key in ("/TR", "/TR2", "/HTP", "/BM")]
    return any(
        isinstance(value, (Dictionary, Stream))
        and (named(value.get("/Type")) in ("/Font", "/XObject", "/ExtGState") or named(value.get("/Subtype")) in ("/Form", "/Image"))
        for value in values
    )


def mend_state(found):
    """Mends a graphics state. Returns whether it makes something transparent."""
    if is_resources(found):
        return False
    drop(found, "/TR", "/HTP")
    if "/TR2" in found and named(found.TR2) != "/Default":
        del found["/TR2"]
    if found.get("/OPM") == 1:
        found.OPM = 0
    mode = found.get("/BM")
    if mode is not None:
        modes = [named(one) for one in mode] if isinstance(mode, Array) else [named(mode)]
        known = next((one for one in modes if one in BLENDS), "/Normal")
        found.BM = Name(known)
    group = part(found, "/Group")
    return (
        ("/SMask" in found and named(found.SMask) != "/None")
        or (mode is not None and named(found.BM) != "/Normal")
        or any(found.get(key, 1) != 1 for key in ("/ca", "/CA"))
        or (group is not None and named(group.get("/S")) == "/Transparency")
    )
