"""Values as the interfaces of LibreOffice take them."""

import os

import uno
from com.sun.star.beans import PropertyValue


def descriptor(values):
    return tuple(PropertyValue(Name=name, Value=boxed(value)) for name, value in values.items())


def boxed(value):
    return uno.Any("[]com.sun.star.beans.PropertyValue", descriptor(value)) if isinstance(value, dict) else value


def url(path):
    return uno.systemPathToFileUrl(os.path.abspath(path))
