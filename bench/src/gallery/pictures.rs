//! Sheets of the picture vocabulary: every picture in every manner, in three palettes, light and dark.

use std::fs;

use anyhow::{Context as _, Result};
use render_core::design::{Brand, Style};
use render_core::encode::{ImageFormat, encode, thumbnail};
use render_core::leaf::{self, Written};
use render_core::pictures;
use render_core::scene::{Canvas, Color};

use super::parts::{chunks, format};
use super::{Picture, Row, Sheet, Studio};

/// The palettes: a name, and the primary colour from which a style derives the palette.
const PALETTES: [(&str, u32); 3] = [("blue", 0x24_56_D6), ("red", 0xD6_45_2B), ("green", 0x0E_7C_4A)];
/// The backgrounds: a name, the background colour and the text colour.
const GROUNDS: [(&str, u32, u32); 2] = [("light", 0xFF_FF_FF, 0x16_1A_20), ("dark", 0x14_18_1F, 0xF4_EF_E6)];
/// Side of a cell in pixels.
const SIDE: u32 = 240;
/// Pictures on a sheet, one row each.
const ROWS: usize = 7;

/// Makes one sheet for each manner and [`ROWS`] pictures. Uses the first of `styles` that has the manner.
pub(super) fn draw(studio: &mut Studio<'_>, styles: &[Style]) -> Result<Vec<Sheet>> {
    let mut seen = Vec::new();
    let mut sheets = Vec::new();
    for style in styles {
        let manner = style.theme().manner;
        if seen.contains(&manner) {
            continue;
        }
        seen.push(manner);
        let mut rows = Vec::new();
        for entry in pictures::all() {
            rows.push(row(studio, *style, entry.name)?);
        }
        for (n, rows) in chunks(rows, ROWS).into_iter().enumerate() {
            let title = format!("Pictures, {}, part {}", manner.name(), n + 1);
            sheets.push(Sheet { file: format!("sheet-pictures-{}-{:02}.png", manner.name(), n + 1), title, rows });
        }
    }
    Ok(sheets)
}

/// Renders one picture in all palettes on all backgrounds.
fn row(studio: &mut Studio<'_>, style: Style, name: &'static str) -> Result<Row> {
    let mut row = Row::new();
    for (ground, background, text) in GROUNDS {
        for (palette, primary) in PALETTES {
            let brand = Brand {
                primary: Some(Color::hex(primary)),
                background: Some(Color::hex(background)),
                text: Some(Color::hex(text)),
                ..Brand::default()
            };
            row.push(cell(studio, style, name, &brand, &format!("{palette}-{ground}"))?);
        }
    }
    Ok(row)
}

/// Renders a picture alone on a square page. A failure is an error, since all pictures are part of this repository.
fn cell(studio: &mut Studio<'_>, style: Style, name: &'static str, brand: &Brand, look: &str) -> Result<Picture> {
    let text = format!("<page><picture name=\"{name}\"/></page>");
    let fonts = studio.renderer.fonts();
    let format = format("instagram_square")?;
    let seed = studio.seed;
    let written =
        Written { text: &text, format, style, brand: Some(brand), language: None, photos: Vec::new(), seed, fonts };
    let composed = leaf::leaves(written).and_then(|leaves| leaves[0].compose(fonts)).map_err(|faults| {
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        anyhow::anyhow!("picture {name} in {}: {}", style.name(), faults.join("; "))
    })?;
    let side = if studio.full { 4 * SIDE } else { SIDE };
    let canvas = Canvas { width: side, height: side, scale: side as f32 / composed.scene.size.w, dither: true };
    let drawn = studio.renderer.draw(&composed.scene, canvas)?;
    let file = format!("picture-{}-{name}-{look}.png", style.theme().manner.name());
    let path = studio.out.join(&file);
    fs::write(&path, encode(&drawn, ImageFormat::Png)?).with_context(|| format!("writing {}", path.display()))?;
    studio.pages += 1;
    Ok(Picture {
        file,
        style: style.name(),
        format: look.to_owned(),
        template: name,
        width: side,
        height: side,
        passed: true,
        misses: Vec::new(),
        warnings: Vec::new(),
        alt_text: name.to_owned(),
        small: thumbnail(&drawn, side),
    })
}
