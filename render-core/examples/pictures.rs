//! Draws contact sheets of pictures from a folder, so that pictures can be tried without a build:
//!
//! ```text
//! pictures FOLDER OUT.png names=stairs,bridge styles=modern,playful,minimal,dark seeds=1,2
//! pictures FOLDER OUT.png names=stairs parameters="n=4 level=2;n=8 level=8"
//! pictures FOLDER OUT.png names=🚲,🔑
//! pictures FOLDER OUT.png brands=2456d6/ffffff/161a20,2456d6/14181f/f4efe6
//! ```
//!
//! Each row is a style on a light and a dark background, each column a picture with its parameters. With `brands`
//! (primary colour, background, text), each row is a style in the colours of a brand. `width=300` is the width of a
//! cell in pixels.

mod common;

use std::collections::HashMap;
use std::path::Path;

use render_core::design::{Brand, Style};
use render_core::encode::{ImageFormat, encode};
use render_core::format::Format;
use render_core::leaf::{self, Written};
use render_core::pictures;
use render_core::raster::cpu::CpuRasteriser;
use render_core::raster::{Pixmap, Rasteriser as _};
use render_core::scene::{Canvas, Color};
use render_core::text::Fonts;

use common::files;

fn main() {
    common::start(run);
}

fn run(arguments: &[String]) -> Result<(), String> {
    let [folder, out, options @ ..] = arguments else {
        return Err("pictures FOLDER OUT.png key=value …".to_owned());
    };
    let options: HashMap<&str, &str> = options.iter().filter_map(|o| o.split_once('=')).collect();
    let get = |name: &str, default: &'static str| options.get(name).copied().unwrap_or(default).to_owned();
    let split = |text: String, by: char| text.split(by).map(str::to_owned).collect::<Vec<_>>();
    let folder = Path::new(folder);
    pictures::load(files(&folder.join("macros"))?, files(folder)?)?;
    let names = match get("names", "").as_str() {
        "" => pictures::all().iter().map(|entry| entry.name.to_owned()).collect(),
        names => split(names.to_owned(), ','),
    };
    let seeds: Vec<u64> = split(get("seeds", "1"), ',').iter().filter_map(|s| s.parse().ok()).collect();
    let grounds = match get("brands", "").as_str() {
        "" => vec![("base", None), ("accent", None)],
        brands => {
            brands.split(',').map(|b| Some(("base", Some(brand(b)?)))).collect::<Option<_>>().ok_or("no brand")?
        }
    };
    let fonts = Fonts::new();
    let mut rows = Vec::new();
    for style in split(get("styles", "modern,playful,minimal,dark"), ',') {
        let style = Style::by_name(&style).ok_or(format!("no style {style}"))?;
        for seed in &seeds {
            for (field, brand) in &grounds {
                let mut row = Vec::new();
                for name in &names {
                    for parameters in split(get("parameters", ""), ';') {
                        let attributes = attributes(&parameters);
                        let which = if name.is_ascii() { "name" } else { "emoji" };
                        let text = format!("<page field=\"{field}\"><picture {which}=\"{name}\" {attributes}/></page>");
                        row.push(drawn(&text, style, brand.as_ref(), *seed, &get("width", "260"), &fonts)?);
                    }
                }
                rows.push(row);
            }
        }
    }
    let sheet = sheet(&rows);
    std::fs::write(out, encode(&sheet, ImageFormat::Png).map_err(|e| e.to_string())?).map_err(|e| e.to_string())
}

/// Parses "n=4 level=2" as attributes.
fn attributes(parameters: &str) -> String {
    let each = parameters.split_whitespace().filter_map(|p| p.split_once('='));
    each.map(|(name, value)| format!("{name}=\"{value}\" ")).collect()
}

/// Parses "2456d6/ffffff/161a20" as a brand.
fn brand(colours: &str) -> Option<Brand> {
    let mut colours = colours.split('/').map(|c| Color::parse(&format!("#{c}")));
    let (primary, background, text) = (colours.next()??, colours.next()??, colours.next()??);
    Some(Brand { primary: Some(primary), background: Some(background), text: Some(text), ..Brand::default() })
}

fn drawn(
    text: &str,
    style: Style,
    brand: Option<&Brand>,
    seed: u64,
    width: &str,
    fonts: &Fonts,
) -> Result<Pixmap, String> {
    let width: u32 = width.parse().map_err(|_| "no width")?;
    let format = Format::by_id("instagram_square").ok_or("no format")?;
    let faults = |faults: Vec<_>| faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    let written = Written { text, format, style, brand, language: None, photos: Vec::new(), seed, fonts };
    let leaves = leaf::leaves(written).map_err(faults)?;
    let scene = leaves[0].compose(fonts).map_err(faults)?.scene;
    let canvas = Canvas { width, height: width, scale: width as f32 / scene.size.w, dither: true };
    let mut pixels = Pixmap { width: 0, height: 0, data: Vec::new() };
    CpuRasteriser::new().draw(&scene, canvas, fonts, &mut pixels).map_err(|e| e.to_string())?;
    Ok(pixels)
}

/// Arranges cells of the same size in rows.
fn sheet(rows: &[Vec<Pixmap>]) -> Pixmap {
    const GAP: u32 = 6;
    let side = rows.iter().flatten().map(|p| p.width).max().unwrap_or(1) + GAP;
    let columns = rows.iter().map(Vec::len).max().unwrap_or(1) as u32;
    let (width, height) = (columns * side, rows.len() as u32 * side);
    let mut all = Pixmap { width, height, data: vec![128; (width * height * 3) as usize] };
    for (y, row) in rows.iter().enumerate() {
        for (x, cell) in row.iter().enumerate() {
            for line in 0..cell.height {
                let from = (line * cell.width * 3) as usize;
                let to = (((y as u32 * side + line) * width + x as u32 * side) * 3) as usize;
                let length = (cell.width * 3) as usize;
                all.data[to..to + length].copy_from_slice(&cell.data[from..from + length]);
            }
        }
    }
    all
}
