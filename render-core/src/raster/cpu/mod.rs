//! The reference rasteriser.
