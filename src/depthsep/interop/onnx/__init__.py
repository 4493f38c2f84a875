"""ONNX files, read exactly and written."""
