//! WebP: lossless by a Rust library, lossy by libwebp, the only encoder of VP8 that is both mature and permissive.

/// Every pixel as it is.
pub fn lossless(width: u32, height: u32, data: &[u8]) -> Result<Vec<u8>, image_webp::EncodingError> {
    let mut out = Vec::with_capacity(data.len() / 16);
    image_webp::WebPEncoder::new(&mut out).encode(data, width, height, image_webp::ColorType::Rgb8)?;
    Ok(out)
}

/// How much libwebp tries, of 6: 4, its default, takes twice the time for 3 % of the bytes.
const METHOD: i32 = 2;

/// At a quality from 0 to 100. VP8 halves the resolution of colour. libwebp's sharper way to do that takes as long again
/// as all the rest, and on pages of coloured text no more pixels are near for it (0.1 to 0.9 dB).
pub fn lossy(width: u32, height: u32, data: &[u8], quality: u8) -> Result<Vec<u8>, String> {
    let mut config = webp::WebPConfig::new().map_err(|()| "the library is not the one built against".to_owned())?;
    config.quality = f32::from(quality.min(100));
    config.method = METHOD;
    let encoded = webp::Encoder::from_rgb(data, width, height).encode_advanced(&config);
    encoded.map(|bytes| bytes.to_vec()).map_err(|e| format!("{e:?}"))
}
