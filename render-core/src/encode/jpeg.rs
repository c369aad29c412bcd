//! JPEG, colour at full resolution.

/// Coloured text on coloured fields frays where colour is halved, so it is not.
pub fn bytes(width: u32, height: u32, data: &[u8], quality: u8) -> Result<Vec<u8>, jpeg_encoder::EncodingError> {
    let mut out = Vec::with_capacity(data.len() / 8);
    let mut encoder = jpeg_encoder::Encoder::new(&mut out, quality);
    encoder.set_sampling_factor(jpeg_encoder::SamplingFactor::F_1_1);
    let edge = |v: u32| u16::try_from(v).expect("longer edges are refused for the format");
    encoder.encode(data, edge(width), edge(height), jpeg_encoder::ColorType::Rgb)?;
    Ok(out)
}
