"""Drawings as geometry: values in, boxes and strokes out. Pure; what they look like is the template's."""
