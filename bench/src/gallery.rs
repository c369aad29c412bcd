//! Draws every archetype in every style, and an article in every style, into one folder for people to look at.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use render_core::compose::compose;
use render_core::content::{Document, read_text};
use render_core::design::{Archetype, Page, Style};
use render_core::encode::{ImageFormat, encode, thumbnail};
use render_core::format::{Format, Resolution};
use render_core::inspect::{Quality, inspect};
use render_core::outline::Locale;
use render_core::plan::specimens::specimens;
use render_core::plan::{PlanRequest, plan};
use render_core::raster::Pixmap;
use render_core::scene::Canvas;
use render_core::text::Fonts;
use serde::Serialize;
use worker::renderer::Renderer;

use crate::machine::Machine;
use crate::{render, table};

/// Area in pixels of a picture on a contact sheet.
const CELL_PX: f32 = 64_000.0;
/// Pixels between the pictures of a sheet, and around them.
const GAP_PX: usize = 16;
/// The sheets' ground: a grey on which light and dark pages both stand out.
const GROUND: u8 = 0x80;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The folder, made where it is missing.
    out: PathBuf,
    /// Formats of the specimens: tall, portrait, square, wide.
    #[arg(long, value_delimiter = ',', default_values = ["instagram_story", "linkedin_carousel_portrait", "instagram_square", "presentation_slide"])]
    formats: Vec<String>,
    /// Styles.
    #[arg(long, value_delimiter = ',', default_values = ["modern", "minimal", "dark"])]
    styles: Vec<String>,
    /// Carousels and visuals that the article is set in: an id, with `:slides` for a carousel.
    #[arg(long, value_delimiter = ',', default_values = ["instagram_carousel:7", "presentation_slide:5", "instagram_post", "instagram_story", "twitter_post", "stat_card", "quote_card", "one_pager"])]
    article_formats: Vec<String>,
    /// The article.
    #[arg(long, default_value = render::ARTICLE)]
    content: PathBuf,
    /// Whatever is drawn by chance is drawn from this.
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// Draws at 2K; else the short edge is 1080 pixels.
    #[arg(long)]
    full: bool,
    /// Ends with one line of JSON.
    #[arg(long)]
    json: bool,
}

/// A picture of the gallery.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Picture {
    file: String,
    style: &'static str,
    format: String,
    archetype: &'static str,
    width: u32,
    height: u32,
    passed: bool,
    /// Measures that don't hold: name, what was measured, what it is held against.
    misses: Vec<(String, f32, f32)>,
    warnings: Vec<String>,
    #[serde(skip)]
    alt_text: String,
    #[serde(skip)]
    small: Pixmap,
}

impl Picture {
    fn remarks(&self) -> Vec<String> {
        let mut says: Vec<String> =
            self.misses.iter().map(|(name, value, gate)| format!("{name} {value:.2} ({gate:.2})")).collect();
        says.extend(self.warnings.iter().cloned());
        vec![self.file.clone(), if self.passed { "passes" } else { "FAILS" }.to_owned(), says.join(", ")]
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    bench: &'static str,
    machine: Machine,
    seed: u64,
    pictures: Vec<Picture>,
}

/// Pictures that stand side by side on a sheet.
type Row = Vec<Picture>;

struct Studio<'a> {
    out: &'a Path,
    full: bool,
    renderer: Renderer,
}

impl Studio<'_> {
    /// Draws the pages of a row and writes their files.
    fn row(&self, prefix: &str, pages: &[Page]) -> Result<Row> {
        pages.iter().enumerate().map(|(n, page)| self.picture(prefix, n, page)).collect()
    }

    fn picture(&self, prefix: &str, nth: usize, page: &Page) -> Result<Picture> {
        let composed = compose(page, self.renderer.fonts());
        let (width, height) = page.format.format().size(Resolution::TwoK);
        let canvas = if self.full {
            Canvas::new(width, height)
        } else {
            let size = composed.scene.size;
            Canvas::new(size.w.round() as u32, size.h.round() as u32)
        };
        let drawn = self.renderer.draw(&composed.scene, canvas)?;
        let quality = inspect(&composed.scene, page, Some(&self.renderer.backdrop(&composed.scene)?));
        let file = format!("{prefix}-{:02}-{}.png", nth + 1, page.archetype.name());
        let path = self.out.join(&file);
        fs::write(&path, encode(&drawn, ImageFormat::Png)?).with_context(|| format!("writing {}", path.display()))?;
        Ok(Picture {
            file,
            style: page.style.name(),
            format: page.format.to_string(),
            archetype: page.archetype.name(),
            width: canvas.width,
            height: canvas.height,
            passed: quality.passed,
            misses: misses(&quality),
            warnings: composed.warnings.iter().map(|w| w.message.clone()).collect(),
            alt_text: page.alt_text.clone(),
            small: thumbnail(&drawn, small_edge(canvas.width, canvas.height)),
        })
    }
}

fn misses(quality: &Quality) -> Vec<(String, f32, f32)> {
    quality.checks.iter().filter(|c| !c.passed).map(|c| (c.name.clone(), c.value, c.gate)).collect()
}

/// The long edge at which a picture takes [`CELL_PX`].
fn small_edge(width: u32, height: u32) -> u32 {
    let (w, h) = (width as f32, height as f32);
    (w.max(h) * (CELL_PX / (w * h)).sqrt()).round() as u32
}

/// Pictures in rows, on a plain ground.
fn sheet(rows: &[Row]) -> Pixmap {
    let rows: Vec<&Row> = rows.iter().filter(|row| !row.is_empty()).collect();
    let wide = |row: &Row| row.iter().map(|p| p.small.width as usize + GAP_PX).sum::<usize>();
    let high = |row: &Row| row.iter().map(|p| p.small.height as usize).max().unwrap_or(0) + GAP_PX;
    let width = rows.iter().map(|row| wide(row)).max().unwrap_or(0) + GAP_PX;
    let height = rows.iter().map(|row| high(row)).sum::<usize>() + GAP_PX;
    let mut data = vec![GROUND; width * height * 3];
    let mut y = GAP_PX;
    for row in rows {
        let mut x = GAP_PX;
        for Picture { small, .. } in row {
            let line = small.width as usize * 3;
            for (n, pixels) in small.data.chunks_exact(line).enumerate() {
                let at = ((y + n) * width + x) * 3;
                data[at..at + line].copy_from_slice(pixels);
            }
            x += small.width as usize + GAP_PX;
        }
        y += high(row);
    }
    Pixmap { width: width as u32, height: height as u32, data }
}

/// `id` or `id:slides`.
fn article_format(text: &str) -> Result<(&'static Format, Option<u32>)> {
    match text.split_once(':') {
        Some((id, slides)) => Ok((render::format(id)?, Some(slides.parse().context("a slide count")?))),
        None => Ok((render::format(text)?, None)),
    }
}

/// Visuals in one row, every carousel in a row of its own.
fn article_rows(studio: &Studio<'_>, style: Style, document: &Document, args: &Args) -> Result<Vec<Row>> {
    let mut rows = vec![Row::new()];
    for text in &args.article_formats {
        let (format, slides) = article_format(text)?;
        let locale = Locale { language: document.language.clone(), direction: document.direction };
        let formats = vec![(format.id, slides)];
        let request = PlanRequest { document, locale, formats, style, seed: args.seed, written: &[], brand: None };
        let plan = match plan(&request, studio.renderer.fonts()) {
            Ok(plan) => plan,
            Err(error) => {
                println!("{} in {}: {error}", style.name(), format.id);
                continue;
            }
        };
        for warning in &plan.warnings {
            println!("{} in {}: {}", style.name(), format.id, warning.message);
        }
        let row = studio.row(&format!("article-{}-{}", style.name(), format.id), &plan.pages)?;
        if slides.is_some() { rows.push(row) } else { rows[0].extend(row) }
    }
    Ok(rows)
}

pub fn run(args: &Args) -> Result<()> {
    fs::create_dir_all(&args.out).with_context(|| format!("making {}", args.out.display()))?;
    let document = read_text(&render::text(&args.content)?)?;
    let studio = Studio { out: &args.out, full: args.full, renderer: Renderer::cpu(Fonts::new(), 1) };
    let mut sheets = Vec::new();
    for name in &args.styles {
        let style = Style::nearest(name).with_context(|| format!("there is no style {name:?}"))?;
        let mut rows = Vec::new();
        for id in &args.formats {
            let format = render::format(id)?;
            let pages = specimens(style, format.id, args.seed, studio.renderer.fonts());
            for left_out in Archetype::ALL.iter().filter(|a| pages.iter().all(|p| p.archetype != **a)) {
                println!("{} in {id}: {} can't be set here", style.name(), left_out.name());
            }
            rows.push(studio.row(&format!("{}-{id}", style.name()), &pages)?);
        }
        sheets.push((format!("sheet-{}.png", style.name()), format!("{}: every archetype", style.name()), rows));
        let rows = article_rows(&studio, style, &document, args)?;
        sheets.push((format!("sheet-{}-article.png", style.name()), format!("{}: an article", style.name()), rows));
    }
    for (file, _, rows) in &sheets {
        fs::write(args.out.join(file), encode(&sheet(rows), ImageFormat::Png)?)?;
    }
    fs::write(args.out.join("index.html"), index(&sheets))?;
    let report = Report {
        bench: "gallery",
        machine: Machine::this(),
        seed: args.seed,
        pictures: sheets.into_iter().flat_map(|(_, _, rows)| rows).flatten().collect(),
    };
    report.print(&args.out);
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
    }
    Ok(())
}

impl Report {
    fn print(&self, out: &Path) {
        println!("{}", self.machine.describe());
        let speaks = |p: &&Picture| !p.misses.is_empty() || !p.warnings.is_empty();
        let rows: Vec<Vec<String>> = self.pictures.iter().filter(speaks).map(Picture::remarks).collect();
        if !rows.is_empty() {
            table::print(&["picture", "", "measures missed: value (gate)"], &rows);
            println!();
        }
        let failing = self.pictures.iter().filter(|p| !p.passed).count();
        println!("{} pictures, {failing} failing, in {}", self.pictures.len(), out.join("index.html").display());
    }
}

/// The page that shows all pictures.
fn index(sheets: &[(String, String, Vec<Row>)]) -> String {
    let mut html = String::from(
        "<!doctype html><html lang=en><meta charset=utf-8><title>Gallery</title><style>\
         body{margin:32px;font:14px/1.4 system-ui,sans-serif;background:#808080;color:#fff}\
         h2{margin:48px 0 16px;font-weight:600}.row{display:flex;flex-wrap:wrap;gap:16px;margin:0 0 24px}\
         figure{margin:0}img{display:block;height:320px;width:auto}figcaption{margin:6px 0 0;max-width:320px}\
         .fails{outline:4px solid #f33}</style><h1>Gallery</h1>",
    );
    for (file, title, rows) in sheets {
        let _ = write!(html, "<h2>{title} (<a href=\"{file}\">sheet</a>)</h2>");
        for row in rows {
            html += "<div class=row>";
            for p in row {
                let says: Vec<&str> = p.misses.iter().map(|(name, ..)| name.as_str()).collect();
                let class = if p.passed { "" } else { " class=fails" };
                let _ = write!(
                    html,
                    "<figure><a href=\"{0}\"><img{class} loading=lazy src=\"{0}\" alt=\"{1}\"></a>\
                     <figcaption>{2} · {3}<br>{4}</figcaption></figure>",
                    p.file,
                    escaped(&p.alt_text),
                    p.format,
                    p.archetype,
                    says.join(", "),
                );
            }
            html += "</div>";
        }
    }
    html + "</html>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
