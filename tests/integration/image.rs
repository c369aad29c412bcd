//! Reads, writes and compares the PNG files of the tests.

use std::path::Path;

use render_core::raster::Pixmap;

/// Decodes a PNG of 8-bit RGB completely, and drops an alpha channel.
pub fn decode(bytes: &[u8]) -> anyhow::Result<Pixmap> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info()?;
    let size = reader.output_buffer_size().ok_or_else(|| anyhow::anyhow!("a picture too large to hold"))?;
    let mut data = vec![0; size];
    let info = reader.next_frame(&mut data)?;
    reader.finish()?;
    data.truncate(info.buffer_size());
    let data = match (info.color_type, info.bit_depth) {
        (png::ColorType::Rgb, png::BitDepth::Eight) => data,
        (png::ColorType::Rgba, png::BitDepth::Eight) => data.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect(),
        other => anyhow::bail!("unexpected pixels: {other:?}"),
    };
    Ok(Pixmap { width: info.width, height: info.height, data })
}

/// Writes a PNG with maximum compression.
pub fn write(path: &Path, pixels: &Pixmap) {
    let file = std::io::BufWriter::new(std::fs::File::create(path).unwrap());
    let mut encoder = png::Encoder::new(file, pixels.width, pixels.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    encoder.write_header().unwrap().write_image_data(&pixels.data).unwrap();
}

/// Returns the largest channel difference at each pixel of two pictures of the same size.
pub fn distances(a: &Pixmap, b: &Pixmap) -> Vec<u8> {
    let apart = |(p, q): (&[u8], &[u8])| p.iter().zip(q).map(|(x, y)| x.abs_diff(*y)).max().unwrap_or(0);
    a.data.chunks_exact(3).zip(b.data.chunks_exact(3)).map(apart).collect()
}

/// Returns how many different colours a picture has, up to `most`. A blank picture has one.
pub fn colours(pixels: &Pixmap, most: usize) -> usize {
    let mut seen = std::collections::HashSet::new();
    for p in pixels.data.chunks_exact(3) {
        seen.insert([p[0], p[1], p[2]]);
        if seen.len() >= most {
            break;
        }
    }
    seen.len()
}
