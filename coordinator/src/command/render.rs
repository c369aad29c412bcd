//! `render FILE -o OUT`: renders pages in the page language to image files, without a service.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use clap::Args;
use fleet::sandbox::Sandbox;
use render_core::content::Language;
use render_core::design::{Brand, Photo, STYLE_NAMES, Style};
use render_core::encode::{ImageFormat, encode};
use render_core::format::{Format, Resolution};
use render_core::inspect::{proof_canvas, without_text};
use render_core::leaf::{self, Leaf, Written};
use render_core::limits::{MARKUP_BYTES, PHOTO_BYTES};
use render_core::raster::cpu::CpuRasteriser;
use render_core::raster::{Pixmap, Rasteriser as _};
use render_core::scene::Canvas;
use render_core::text::Fonts;
use render_core::tree::Fault;
use serde_json::{Map, Value};

use crate::api::branding;

/// Maximum size in bytes of a brand file.
const BRAND_BYTES: u64 = 1 << 20;

/// Options of the command.
#[derive(Debug, Args)]
pub struct Render {
    /// File with one or more <page> elements; - for standard input. Paths of img elements are relative to the folder of
    /// this file
    file: PathBuf,
    /// Image file to write: .png, .jpg or .webp. Several pages are numbered: OUT-1.png, OUT-2.png
    #[arg(short, long, value_name = "OUT", required_unless_present = "dry_run")]
    out: Option<PathBuf>,
    /// Id of the output format
    #[arg(long, default_value = "instagram_post")]
    format: String,
    /// Visual style [default: the brand's style, or modern]
    #[arg(long)]
    style: Option<String>,
    /// JSON file with the brand, like the body of POST /api/brands
    #[arg(long, value_name = "FILE")]
    brand: Option<PathBuf>,
    /// Language of the text [default: detected]
    #[arg(long)]
    language: Option<String>,
    /// 2K, 4K or exact
    #[arg(long, default_value = "2K")]
    resolution: String,
    /// Selects the colour scheme and the fonts of the style
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only check the pages for faults
    #[arg(long)]
    dry_run: bool,
}

impl Render {
    /// Renders the pages. Returns a line for each file written.
    ///
    /// # Errors
    /// Returns all faults of the pages, one per line, or a file that can't be read or written.
    pub fn run(self) -> anyhow::Result<String> {
        let text = text(&self.file)?;
        let format = Format::by_id(&self.format).ok_or_else(|| anyhow!("there is no format {:?}", self.format))?;
        let brand = self.brand.as_deref().map(brand).transpose()?;
        let named = match &self.style {
            Some(name) => Some(
                Style::by_name(name)
                    .ok_or_else(|| anyhow!("there is no style {name:?}; there are {}", STYLE_NAMES.join(", ")))?,
            ),
            None => None,
        };
        let language = match &self.language {
            Some(name) => Some(Language::parse(name).map_err(|_| anyhow!("{name:?} is not a language"))?),
            None => None,
        };
        let resolution = match self.resolution.as_str() {
            "exact" => Resolution::Exact,
            name => Resolution::by_name(name).ok_or_else(|| anyhow!("the resolution must be 2K, 4K or exact"))?,
        };
        let fonts = Fonts::new();
        let photos = photos(&text, self.file.parent())?;
        let written = Written {
            text: &text,
            format,
            style: named.or(brand.as_ref().and_then(|b| b.style)).unwrap_or(Style::MODERN),
            brand: brand.as_ref(),
            language,
            photos,
            seed: self.seed,
            fonts: &fonts,
        };
        let leaves = leaf::leaves(written).map_err(|faults| anyhow!("the pages have faults:\n{}", lines(&faults)))?;
        let rasteriser = CpuRasteriser::new();
        let faults = leaf::misses(&leaves, &fonts, |scene| {
            let mut pixels = Pixmap { width: 0, height: 0, data: Vec::new() };
            rasteriser.draw(&without_text(scene), proof_canvas(scene), &fonts, &mut pixels).map(|()| pixels)
        })?;
        if !faults.is_empty() {
            bail!("the pages have faults:\n{}", lines(&faults));
        }
        let Some(out) = self.out.filter(|_| !self.dry_run) else { return Ok("the pages have no faults".to_owned()) };
        let mut said = Vec::new();
        for (index, leaf) in leaves.iter().enumerate() {
            let path = if leaves.len() > 1 { numbered(&out, index + 1) } else { out.clone() };
            write(leaf, format.size(resolution), &path, &fonts)?;
            said.push(path.display().to_string());
            said.extend(leaf.warnings.iter().map(|w| format!("  {}", w.message)));
        }
        Ok(said.join("\n"))
    }
}

/// Reads a file or standard input.
fn text(file: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    let most = MARKUP_BYTES as u64 + 1;
    if file == Path::new("-") {
        std::io::stdin().lock().take(most).read_to_end(&mut bytes).context("standard input can't be read")?;
    } else {
        let file = std::fs::File::open(file).with_context(|| format!("{} can't be read", file.display()))?;
        file.take(most).read_to_end(&mut bytes)?;
    }
    String::from_utf8(bytes).map_err(|_| anyhow!("the pages are not UTF-8 text"))
}

/// Loads the photographs of the pages, whose paths are relative to `folder`. Pages with faults have none, because their
/// faults are reported elsewhere.
fn photos(text: &str, folder: Option<&Path>) -> anyhow::Result<Vec<(String, Photo)>> {
    let trees = leaf::read(text).unwrap_or_default();
    let names = trees.iter().flat_map(|tree| tree.root.walk()).filter_map(|node| node.get("src"));
    let names: BTreeSet<&str> = names.collect();
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let (sandbox, runtime) = (Sandbox::new(1)?, tokio::runtime::Builder::new_current_thread().enable_all().build()?);
    let mut photos = Vec::new();
    for name in names {
        let path = folder.unwrap_or(Path::new("")).join(name);
        let mut file = Vec::new();
        let opened = std::fs::File::open(&path).with_context(|| format!("{} can't be read", path.display()))?;
        opened.take(PHOTO_BYTES as u64 + 1).read_to_end(&mut file)?;
        if file.len() > PHOTO_BYTES {
            bail!("{} is larger than {} MiB", path.display(), PHOTO_BYTES >> 20);
        }
        let photo = runtime.block_on(worker::photo_of_file(file.into(), &sandbox));
        photos.push((name.to_owned(), photo.map_err(|why| anyhow!("{}: {why}", path.display()))?));
    }
    Ok(photos)
}

fn brand(file: &Path) -> anyhow::Result<Brand> {
    let mut bytes = Vec::new();
    let opened = std::fs::File::open(file).with_context(|| format!("{} can't be read", file.display()))?;
    opened.take(BRAND_BYTES).read_to_end(&mut bytes)?;
    let body: Map<String, Value> =
        serde_json::from_slice(&bytes).with_context(|| format!("{} does not contain a JSON object", file.display()))?;
    branding::described(&body).map_err(|error| anyhow!("{}: {}", file.display(), error.told().join(" ")))
}

fn lines(faults: &[Fault]) -> String {
    faults.iter().map(|fault| format!("  {fault}")).collect::<Vec<_>>().join("\n")
}

/// Returns the path of image `n` of several.
fn numbered(out: &Path, n: usize) -> PathBuf {
    let stem = out.file_stem().unwrap_or_default().to_string_lossy();
    let extension = out.extension().map(|e| format!(".{}", e.to_string_lossy())).unwrap_or_default();
    out.with_file_name(format!("{stem}-{n}{extension}"))
}

fn write(leaf: &Leaf, (width, height): (u32, u32), path: &Path, fonts: &Fonts) -> anyhow::Result<()> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_lowercase();
    let format = match extension.as_str() {
        "png" => ImageFormat::Png,
        "jpg" | "jpeg" => ImageFormat::Jpeg,
        "webp" => ImageFormat::Webp,
        _ => bail!("{} must end in .png, .jpg or .webp", path.display()),
    };
    let composed = leaf.compose(fonts).map_err(|faults| anyhow!("{}", lines(&faults)))?;
    let mut pixels = Pixmap { width: 0, height: 0, data: Vec::new() };
    CpuRasteriser::new().draw(&composed.scene, Canvas::new(width, height), fonts, &mut pixels)?;
    std::fs::write(path, encode(&pixels, format)?).with_context(|| format!("{} can't be written", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render(folder: &Path, text: &str, out: &str) -> Render {
        let file = folder.join("pages.xml");
        std::fs::write(&file, text).expect("a folder of the test's own");
        Render {
            file,
            out: Some(folder.join(out)),
            format: "instagram_carousel".into(),
            style: None,
            brand: None,
            language: None,
            resolution: "exact".into(),
            seed: 1,
            dry_run: false,
        }
    }

    #[test]
    fn pages_become_numbered_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let text = "<page><headline>One</headline></page><page><headline>Two</headline></page>";
        let said = render(folder.path(), text, "slide.webp").run().expect("two pages");
        assert_eq!(said.lines().count(), 2);
        for name in ["slide-1.webp", "slide-2.webp"] {
            let bytes = std::fs::read(folder.path().join(name)).expect("it was written");
            assert_eq!(&bytes[8..12], b"WEBP", "{name}");
        }
    }

    #[test]
    fn a_missing_photograph_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let text = "<page><img src=\"roof.jpg\"/></page>";
        let error = render(folder.path(), text, "one.png").run().expect_err("there is no such file").to_string();
        assert!(error.contains("roof.jpg can't be read"), "{error}");
    }

    #[test]
    fn faults_are_listed_and_nothing_is_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let text = "<page><headline fit=\"vast\">One</headline><blink>x</blink></page>";
        let error = render(folder.path(), text, "one.png").run().expect_err("two faults").to_string();
        assert!(error.contains("headline-1: fit") && error.contains("blink"), "{error}");
        assert!(!folder.path().join("one.png").exists());
    }
}
