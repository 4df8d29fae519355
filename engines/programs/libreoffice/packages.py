"""Packages of office documents: ZIP files with parts in XML (ECMA-376 part 2; ODF 1.3 part 2)."""

import shutil
import zipfile


def replace_members(package, changed, path, names=()):
    """
    Writes a copy of a package, with new contents of the members in `changed`, and new names of those in `names`. Some
    libraries of .NET write the separator of Windows into the names.
    """
    names = dict(names)
    with zipfile.ZipFile(path, "w") as new:
        for item in package.infolist():
            name = names.get(item.filename, item.filename.replace("\\", "/"))
            member = zipfile.ZipInfo(name, item.date_time)
            member.compress_type, member.file_size = item.compress_type, item.file_size
            if item.filename in changed:
                new.writestr(member, changed[item.filename])
            else:
                with package.open(item) as source, new.open(member, "w") as target:
                    shutil.copyfileobj(source, target)
