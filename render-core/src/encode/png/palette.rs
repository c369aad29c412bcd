//! Palettes for pictures of few colours.

use std::collections::HashMap;

/// The colours of a picture, and the colour index of each pixel.
pub struct Palette {
    /// Three bytes per colour, in the order of first occurrence.
    pub colors: Vec<u8>,
    /// One byte per pixel.
    pub indices: Vec<u8>,
}

/// Returns the palette of a picture; `None` if it has more than 256 colours.
pub fn of(data: &[u8]) -> Option<Palette> {
    let (pixels, _) = data.as_chunks::<3>();
    let mut known: HashMap<[u8; 3], u8> = HashMap::new();
    let mut palette = Palette { colors: Vec::new(), indices: Vec::with_capacity(pixels.len()) };
    let mut last = None;
    for pixel in pixels {
        let index = match last {
            Some((same, index)) if same == pixel => index,
            _ => match known.get(pixel) {
                Some(index) => *index,
                None => {
                    let index = u8::try_from(known.len()).ok()?;
                    known.insert(*pixel, index);
                    palette.colors.extend_from_slice(pixel);
                    index
                }
            },
        };
        last = Some((pixel, index));
        palette.indices.push(index);
    }
    Some(palette)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_as_a_byte_can_tell() {
        let colors: Vec<u8> = (0..=255).flat_map(|i| [i, i / 2, 3]).collect();
        let mut twice = colors.repeat(2);
        let palette = of(&twice).unwrap();
        assert_eq!(palette.colors, colors);
        assert!(palette.indices.iter().copied().eq((0..=255).chain(0..=255)));
        twice.extend([0, 0, 4]);
        assert!(of(&twice).is_none());
    }
}
