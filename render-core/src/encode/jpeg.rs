//! JPEG without chroma subsampling.
//!
//! One core, the best of 12 runs, quality 92, no chroma subsampling. The cells are milliseconds and kilobytes for a
//! slide of 2048×2560, the same slide dithered, a specimen of faces of 1700×1860 and a sheet of small pictures of
//! 1921×1441:
//!
//! | | slide | dithered | faces | pictures |
//! |---|---|---|---|---|
//! | jpeg-encoder 0.7.1 with AVX2 | 49, 657 | 49, 644 | 30, 614 | 30, 732 |
//! | rusty_jpeg 0.4.8 | 29, 657 | 28, 644 | 18, 614 | 17, 732 |
//! | libjpeg-turbo-rs 0.9.0 | 23, 656 | 22, 645 | 14, 614 | 12, 732 |
//! | libjpeg-turbo, by turbojpeg 1.5.1 | 17, 656 | 16, 645 | 10, 614 | 11, 732 |
//!
//! The C library is 2 to 6 ms a page faster. But its build needs CMake and NASM, without which `cargo run` fails on a
//! fresh clone, and takes 45 s. Its port to Rust writes the same bytes, both with AVX2 and with portable code: 5,200
//! pictures of random sizes, contents and qualities were compared, a quarter of them with the portable code.

use libjpeg_turbo_rs::{JpegError, PixelFormat, Subsampling, compress};

/// Encodes at a quality from 1 to 100, with the accurate integer DCT and the standard Huffman tables. Chroma is not
/// subsampled, because coloured text on a coloured background frays at half the chroma resolution.
pub fn bytes(width: u32, height: u32, data: &[u8], quality: u8) -> Result<Vec<u8>, JpegError> {
    compress(data, width as usize, height as usize, PixelFormat::Rgb, quality, Subsampling::S444)
}
