//! Draws pages in the page language: `page FILE OUT.png [FORMAT [STYLE [SEED]]]`. Several pages become OUT-1.png, ….

use std::process::ExitCode;

use render_core::content::Language;
use render_core::design::{Photo, Style, Theme};
use render_core::encode::{ImageFormat, encode};
use render_core::raster::Rasteriser as _;
use render_core::raster::cpu::CpuRasteriser;
use render_core::scene::Canvas;
use render_core::sheet::{Setting, faces, palette, set};
use render_core::text::Fonts;
use render_core::{Format, elements, markup, pictures};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            #[allow(clippy::print_stderr, reason = "a command says what is wrong")]
            {
                eprintln!("{message}");
            }
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
    let argument = |n: usize, default: &str| arguments.get(n).cloned().unwrap_or_else(|| default.to_owned());
    let text = std::fs::read_to_string(argument(0, "")).map_err(|e| e.to_string())?;
    let out = argument(1, "page.png");
    let format = Format::by_id(&argument(2, "instagram_post")).ok_or("no such format")?;
    let style = Style::by_name(&argument(3, "modern")).ok_or("no such style")?;
    let seed: u64 = argument(4, "1").parse().map_err(|_| "no seed")?;
    let lines =
        |faults: Vec<render_core::tree::Fault>| faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let trees = markup::parse_all(&text, &elements::VOCABULARY).map_err(lines)?;
    let fonts = Fonts::new();
    let said: String = trees.iter().flat_map(|t| t.root.walk().map(render_core::tree::Node::text)).collect();
    let language = Language::detect(&said);
    let faces = faces(&trees, style, None, &language, seed, &fonts);
    let count = trees.len() as u32;
    for (index, tree) in (0..count).zip(&trees) {
        let tree = &pictures::resolve(tree, Theme::of(style).manner, seed).map_err(lines)?;
        let photos = photos(tree)?;
        let setting = Setting {
            format,
            style,
            palette: palette(tree, style, None, seed),
            brand: "",
            logos: [None, None],
            faces,
            language: &language,
            fonts: &fonts,
            slide: (count > 1).then_some(render_core::design::Slide { index, count }),
            photos: &photos,
            seed,
            touches: render_core::sheet::Touches::default(),
            dress: elements::dress,
        };
        let sheet = set(tree, &setting);
        for said in sheet.faults.iter().map(ToString::to_string).chain(sheet.warnings.iter().map(|w| w.message.clone()))
        {
            #[allow(clippy::print_stderr, reason = "a command says what is wrong")]
            {
                eprintln!("page {}: {said} (share {})", index + 1, sheet.share);
            }
        }
        let canvas = Canvas::new(format.width, format.height);
        let mut pixels = render_core::raster::Pixmap { width: 0, height: 0, data: Vec::new() };
        CpuRasteriser::new().draw(&sheet.scene, canvas, &fonts, &mut pixels).map_err(|e| e.to_string())?;
        let bytes = encode(&pixels, ImageFormat::Png).map_err(|e| e.to_string())?;
        let name = if count > 1 { out.replace(".png", &format!("-{}.png", index + 1)) } else { out.clone() };
        std::fs::write(name, bytes).map_err(|e| e.to_string())?;
    }
    Ok(())
}

/// The photographs that a page names by the paths of PNG and JPEG files.
fn photos(tree: &render_core::tree::Tree) -> Result<Vec<(String, Photo)>, String> {
    let names = tree.root.walk().filter(|n| n.name() == "img").filter_map(|n| n.get("src"));
    let files = names.filter(|name| std::path::Path::new(name).is_file());
    files.map(|name| Ok((name.to_owned(), Photo::of(name.to_owned(), photo(name)?)))).collect()
}

fn photo(path: &str) -> Result<render_core::scene::Image, String> {
    let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
    let (width, height, rgb) = if bytes.starts_with(&[0xFF, 0xD8]) {
        let mut decoder = zune_jpeg::JpegDecoder::new(std::io::Cursor::new(&bytes));
        let rgb = decoder.decode().map_err(|e| format!("{e:?}"))?;
        let (width, height) = decoder.dimensions().ok_or("no size")?;
        (width as u32, height as u32, rgb)
    } else {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(&bytes));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().map_err(|e| e.to_string())?;
        let mut pixels = vec![0; reader.output_buffer_size().ok_or("too large")?];
        let info = reader.next_frame(&mut pixels).map_err(|e| e.to_string())?;
        (info.width, info.height, pixels)
    };
    let channels = rgb.len() / (width * height) as usize;
    let rgba: Vec<u8> = rgb.chunks_exact(channels).flat_map(|p| [p[0], p[1], p[2], 255]).collect();
    render_core::scene::Image::new(width, height, rgba).map_err(|e| e.to_string())
}
