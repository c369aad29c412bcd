//! Pixels → bytes of an image file.
//!
//! `encode(&Pixmap, ImageFormat) -> Result<Vec<u8>, EncodeError>`
