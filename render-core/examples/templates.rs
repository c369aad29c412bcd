//! Draws contact sheets of templates from a folder, so that templates can be tried without a build:
//!
//! ```text
//! templates FOLDER OUT.png names=list-grid,quote styles=modern,dark formats=instagram_post,presentation_slide seeds=3
//! templates FOLDER OUT.png text=article.md styles=dark formats=instagram_carousel slides=7
//! ```
//!
//! With `pages=FILE`, the slides are those that an author composed from the text in the page language; the program
//! prints their faults. `colours=#f6c4bb,#2a9484,#e03a25,#f6b73c,#10362f` are the colours that the author chose. With
//! `covers=5`, only the first pages of the sets are drawn, five in a row.
//!
//! Each row is a style (and seed), each column a template in a format, or a slide. `width=360` is the width of a cell in
//! pixels.

mod common;

use std::collections::HashMap;
use std::path::Path;

use render_core::author::{self, Commission, Licence};
use render_core::compose::compose;
use render_core::design::{Page, Scheme, Style, Template};
use render_core::encode::{ImageFormat, encode};
use render_core::format::{Format, FormatId};
use render_core::inspect::inspect;
use render_core::outline::{self, Outline};
use render_core::plan::specimens::specimen;
use render_core::plan::{self, PlanRequest};
use render_core::raster::cpu::CpuRasteriser;
use render_core::raster::{Pixmap, Rasteriser as _};
use render_core::scene::Canvas;
use render_core::text::Fonts;

use common::{Planned, files};

fn main() {
    common::start(run);
}

#[allow(clippy::print_stdout, reason = "a command prints what its sheet shows")]
fn run(arguments: &[String]) -> Result<(), String> {
    let [folder, out, options @ ..] = arguments else {
        return Err("templates FOLDER OUT.png key=value …".to_owned());
    };
    let options: HashMap<&str, &str> = options.iter().filter_map(|o| o.split_once('=')).collect();
    let get = |name: &str, default: &'static str| options.get(name).copied().unwrap_or(default).to_owned();
    let folder = Path::new(folder);
    render_core::design::template::load(files(&folder.join("parts"))?, files(folder)?)?;
    let fonts = Fonts::new();
    let split = |text: String| text.split(',').map(str::to_owned).collect::<Vec<_>>();
    let styles: Vec<Style> = match get("styles", "all").as_str() {
        "all" => Style::all().collect::<Vec<_>>(),
        names => split(names.to_owned()).iter().filter_map(|n| Style::by_name(n)).collect(),
    };
    let formats: Vec<FormatId> = split(get("formats", "instagram_post"))
        .iter()
        .map(|n| Format::by_id(n).map(|f| f.id).ok_or(format!("no format {n}")))
        .collect::<Result<_, _>>()?;
    let seeds: Vec<u64> = split(get("seeds", "3")).iter().filter_map(|s| s.parse().ok()).collect();
    let read =
        |colours: &&str| Scheme::read(colours.split(',')).ok_or("colours takes five distinct colours: #f6c4bb,…");
    let scheme = options.get("colours").map(read).transpose()?;
    let mut rows: Vec<Vec<Page>> = Vec::new();
    for style in styles {
        for seed in &seeds {
            let mut row = Vec::new();
            if let Some(file) = options.get("text") {
                let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
                let slides: u32 = get("slides", "7").parse().map_err(|_| "no count")?;
                for format in &formats {
                    let deck = Deck { text: &text, style, format: *format, slides, seed: *seed, scheme };
                    row.extend(match options.get("pages") {
                        Some(file) => deck.composed(file, &fonts)?,
                        None => deck.pages(options.contains_key("covers"), &fonts)?,
                    });
                }
            } else {
                for name in split(get("names", "")) {
                    let template = Template::all().find(|a| a.name() == name).ok_or(format!("no {name}"))?;
                    for format in &formats {
                        match specimen(template, style, *format, *seed, &fonts) {
                            Some(page) => row.push(page),
                            None => println!(
                                "{} {name} {format}: {}",
                                style.name(),
                                why(template, style, *format, *seed, &fonts)
                            ),
                        }
                    }
                }
            }
            rows.push(row);
        }
    }
    if let Ok(across) = get("covers", "").parse::<usize>() {
        let covers: Vec<Page> = rows.into_iter().filter_map(|row| row.into_iter().next()).collect();
        rows = covers.chunks(across.max(1)).map(<[Page]>::to_vec).collect();
    }
    let width: u32 = get("width", "360").parse().map_err(|_| "no width")?;
    for row in &rows {
        for page in row {
            let composed = compose(page, &fonts);
            let quality = inspect(&composed.scene, page, None);
            let failed: Vec<&str> = quality.checks.iter().filter(|c| !c.passed).map(|c| c.name.as_str()).collect();
            println!(
                "{} {} {} {}: fits {} {}",
                page.style.name(),
                page.template.name(),
                page.picture.as_deref().unwrap_or("-"),
                page.format,
                composed.fits,
                failed.join(" ")
            );
        }
    }
    sheet(&rows, width, &fonts, out)
}

/// Returns why there is no specimen: the hard checks that its drafts fail.
fn why(template: Template, style: Style, format: FormatId, seed: u64, fonts: &Fonts) -> String {
    let failures = render_core::plan::specimens::failures(template, style, format, seed, fonts);
    if failures.is_empty() { "not suited (header or style)".to_owned() } else { failures.join(", ") }
}

/// A set to make from a text.
struct Deck<'a> {
    text: &'a str,
    style: Style,
    format: FormatId,
    slides: u32,
    seed: u64,
    scheme: Option<Scheme>,
}

impl Deck<'_> {
    /// Returns the slides. If only the `cover` is needed, the set has the cover and one other slide.
    fn pages(&self, cover: bool, fonts: &Fonts) -> Result<Vec<Page>, String> {
        let mut written = Vec::new();
        if cover {
            let document = render_core::content::read_text(self.text).map_err(|e| e.to_string())?;
            let asked =
                outline::Request { document: &document, format: self.format.format(), slides: Some(self.slides) };
            let outlines = outline::outline(&asked).map_err(|_| "too little for so many slides")?;
            let first = outlines.into_iter().next().ok_or("no outline")?;
            written.push((self.format, Outline { pages: first.pages.into_iter().take(2).collect(), ..first }));
        }
        self.planned(&written, fonts)
    }

    /// Returns the slides that an author composed in a file.
    #[allow(clippy::print_stdout, reason = "a command prints the faults")]
    fn composed(&self, file: &str, fonts: &Fonts) -> Result<Vec<Page>, String> {
        let answer = std::fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
        let document = render_core::content::read_text(self.text).map_err(|e| e.to_string())?;
        let mut evidence = document.evidence.clone();
        evidence.admit(self.text);
        let format = self.format.format();
        let commission = Commission {
            slides: Some(self.slides),
            purpose: format.purpose,
            density: format.density,
            title: None,
            language: &document.language,
            source_language: &document.language,
            source: self.text,
            evidence: &evidence,
            licence: Licence::Source,
            count: None,
            kept: Vec::new(),
            photos: 0,
        };
        let lines = |faults: &[author::Fault]| faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        let reading = commission.read(&answer).map_err(|faults| lines(&faults))?;
        println!("{}", lines(&reading.faults));
        let written = [(self.format, reading.outline)];
        let request = PlanRequest {
            written: &written,
            scheme: self.scheme,
            ..PlanRequest::of(&document, vec![(self.format, Some(self.slides))], self.style, self.seed)
        };
        for (page, faults) in plan::faults(&request, self.format, &written[0].1, fonts) {
            for fault in faults {
                println!("{}", author::Fault::of_page(page, &fault, &written[0].1.pages[page]));
            }
        }
        Ok(plan::plan(&request, fonts).map_err(|e| e.to_string())?.pages)
    }

    fn planned(&self, written: &[(FormatId, Outline)], fonts: &Fonts) -> Result<Vec<Page>, String> {
        let Self { format, slides, style, seed, .. } = *self;
        Planned { format, slides, style, seed, written }.pages(self.text, fonts)
    }
}

fn sheet(rows: &[Vec<Page>], width: u32, fonts: &Fonts, out: &str) -> Result<(), String> {
    const GAP: u32 = 12;
    let raster = CpuRasteriser::new();
    let mut cells: Vec<(u32, u32, Pixmap)> = Vec::new();
    let (mut y, mut most) = (GAP, 0);
    for row in rows {
        let (mut x, mut high) = (GAP, 0);
        for page in row {
            let format = page.format.format();
            let height = width * format.height / format.width;
            let scene = compose(page, fonts).scene;
            let canvas = Canvas { width, height, scale: width as f32 / scene.size.w, dither: true };
            let mut pixels = Pixmap { width: 0, height: 0, data: Vec::new() };
            raster.draw(&scene, canvas, fonts, &mut pixels).map_err(|e| e.to_string())?;
            cells.push((x, y, pixels));
            x += width + GAP;
            high = high.max(height);
        }
        most = most.max(x);
        y += high + GAP;
    }
    let mut all = Pixmap { width: most.max(1), height: y, data: vec![128; (most.max(1) * y * 3) as usize] };
    for (x, y, cell) in &cells {
        for line in 0..cell.height {
            let from = (line * cell.width * 3) as usize;
            let to = (((y + line) * all.width + x) * 3) as usize;
            let length = (cell.width * 3) as usize;
            all.data[to..to + length].copy_from_slice(&cell.data[from..from + length]);
        }
    }
    std::fs::write(out, encode(&all, ImageFormat::Png).map_err(|e| e.to_string())?).map_err(|e| e.to_string())
}
