"""Writes what pandoc would lose of a page in a way that it reads."""

import re

# No pattern looks behind the tag at which it begins: many tags without an end would each be searched to the end.
# A picture that only a frame in SVG surrounds, as cover pages have.
FRAMED = re.compile(r'<svg\b[^<>]*+>\s*+(?:<(?:title|desc)\b[^<>]*+>[^<]*+</(?:title|desc)>\s*+)*<image\b(?>[^<>]*?(?:xlink:)?href\s*=\s*("[^"<]*+"|\'[^\'<]*+\'))[^<>]*+>(?:(?<=/>)|\s*+</image>)\s*+</svg>', re.I)
# Names that calibre gives to styles, which pandoc takes for languages of listings.
STYLED = re.compile(r'(<(?:pre|code)\b[^<>]*?)\sclass\s*=\s*["\']calibre\w*["\']', re.I)
# Elements whose id pandoc drops: links need it inside of them, or before them.
INSIDE = re.compile(r'<(p|li|td|th|dt|dd|blockquote|figure|aside|figcaption)\b(?>([^<>]*?)\sid\s*=\s*("[^"<]*+"|\'[^\'<]*+\'))([^<>]*+)(?<!/)>', re.I)
BEFORE = re.compile(r'<(?:ul|ol|dl|table|pre|img|hr)\b(?>[^<>]*?\sid\s*=\s*("[^"<]*+"|\'[^\'<]*+\'))[^<>]*+>', re.I)
# Pandoc makes footnotes of these, and needs their ids.
NOTE = re.compile(r'epub:type\s*=\s*["\'][^"\']*\b(foot|rear)note', re.I)
BLOCK = re.compile(r'<(/?)(p|h[1-6]|blockquote|ul|ol|table)\b([^<>]*+)(?<!/)>', re.I)
RIGHT = re.compile(r'\sdir\s*=\s*["\']rtl["\']', re.I)
BODY = re.compile(r'<html\b[^<>]*\sdir\s*=\s*["\']rtl["\']|<body\b[^<>]*\sdir\s*=\s*["\']rtl["\']', re.I)
SPAN = re.compile(r'<span\b([^<>]*?)(/?)>|</span\s*>', re.I)
# What pandoc leaves out where it is the type of an element.
TYPE = re.compile(r'(\sepub:type\s*=\s*["\'])([^"\'<>]*+)', re.I)
RULE = re.compile(r'(?<![^{}])([^{}]+)\{([^{}]*)\}')


def emphases(sheets):
    """Classes that style sheets make italic or bold: by class, the elements with the same meaning."""
    found = {}
    for selectors, rules in (match.groups() for sheet in sheets for match in RULE.finditer(sheet)):
        names = re.findall(r'(?:^|,)\s*(?:span)?\.([\w-]+)\s*(?=,|$)', selectors)
        wanted = []
        if re.search(r'font-style\s*:\s*(italic|oblique)', rules, re.I):
            wanted.append('em')
        if re.search(r'font-weight\s*:\s*(bold|[6-9]00)', rules, re.I):
            wanted.append('strong')
        for name in names:
            if wanted:
                found[name] = wanted
    return found


def emphasised(text, classes):
    """Spans of such classes as emphasis."""
    open_spans = []

    def span(match):
        if match[0].startswith('</'):
            return ''.join(f'</{name}>' for name in reversed(open_spans.pop() if open_spans else [])) + match[0]
        attributes = match[1]
        named = re.search(r'\sclass\s*=\s*["\']([^"\']*)', attributes)
        style = re.search(r'\sstyle\s*=\s*["\']([^"\']*)', attributes)
        styled = emphases([f'.x{{{style[1]}}}']) if style else {}
        wanted = list(dict.fromkeys([*(name for one in (named[1].split() if named else []) for name in classes.get(one, [])), *styled.get('x', [])]))
        if match[2]:
            return match[0]
        open_spans.append(wanted)
        return match[0] + ''.join(f'<{name}>' for name in wanted)

    return SPAN.sub(span, text)


def directed(text):
    """Blocks from right to left as groups, of which pandoc keeps the direction."""
    open_blocks = {}

    def block(match):
        ends, name, attributes = match.groups()
        rights = open_blocks.setdefault(name.lower(), [])
        if ends:
            return f'{match[0]}</div>' if rights and rights.pop() else match[0]
        rights.append(RIGHT.search(attributes) is not None)
        return f'<div dir="rtl"><{name}{RIGHT.sub("", attributes)}>' if rights[-1] else match[0]

    return BLOCK.sub(block, text)


def flat(text, classes):
    """A page for pandoc."""

    def anchored(match):
        if match[1].lower() in ('aside', 'p', 'blockquote', 'figure') and NOTE.search(match[0]):
            return match[0]
        return f'<{match[1]}{match[2]}{match[4]}><span id={match[3]}></span>'

    text = TYPE.sub(lambda match: match[1] + match[2].replace('titlepage', 'frontmatter'), text)
    text = STYLED.sub(r'\1', FRAMED.sub(r'<img alt="" src=\1/>', text))
    text = BEFORE.sub(lambda match: f'<span id={match[1]}></span>{match[0]}', INSIDE.sub(anchored, text))
    text = emphasised(text, classes)
    if BODY.search(text):
        text = re.sub(r'<body\b[^<>]*>', r'\g<0><div dir="rtl">', text, count=1, flags=re.I)
        text = re.sub(r'</body\b', r'</div>\g<0>', text, count=1, flags=re.I)
    return directed(text)
