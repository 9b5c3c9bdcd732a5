"""Masking whole folders: in several processes, resumable, sealed, with a report."""

from veil.masking_run.job import Detection, MappingFile, MaskJob
from veil.masking_run.run import Progress, Summary, mask_files

__all__ = ["Detection", "MappingFile", "MaskJob", "Progress", "Summary", "mask_files"]
