//! The parts of the gallery, one for each question of a reviewer.

use anyhow::{Context as _, Result};
use render_core::content::read_text;
use render_core::design::{Brand, FileKey, Logo, Style, Template};
use render_core::format::{Density, Format};
use render_core::plan::specimens::specimen;
use render_core::scene::{Color, Image};
use render_core::text::Family;

use super::{Row, Sheet, Studio, Wish, pictures, references};

/// A part of the gallery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Part {
    /// Every template in every style and five ratios.
    Templates,
    /// Every format in every style.
    Formats,
    /// Six scripts in every style.
    Scripts,
    /// Twenty seeds of one request in every style.
    Seeds,
    /// Three brands in every style.
    Brands,
    /// Ten texts as carousels.
    Articles,
    /// Pages with the words of the reference images.
    References,
    /// Every picture of the vocabulary in every manner, in three palettes, light and dark.
    Pictures,
}

/// Tall, portrait, square, wide, strip.
const RATIOS: [&str; 5] =
    ["instagram_story", "linkedin_carousel_portrait", "instagram_square", "presentation_slide", "twitter_header"];
const SEEDS: u64 = 20;
const ARTICLE: &str = include_str!("../../../tests/data/article.md");
const TIPS: &str = include_str!("../../../tests/data/tips.txt");

/// Texts in six scripts, written for this gallery.
const SCRIPTS: [(&str, &str); 6] = [
    ("greek", include_str!("../../../tests/data/greek.md")),
    ("russian", include_str!("../../../tests/data/russian.md")),
    ("japanese", include_str!("../../../tests/data/japanese.md")),
    ("german", include_str!("../../../tests/data/german.md")),
    (
        "arabic",
        "# خمس عادات صغيرة لنوم أعمق\n\nابدأ بواحدة الليلة.\n\n1. أطفئ الشاشات قبل النوم بساعة\n2. اجعل الغرفة باردة ومظلمة\n\
         3. نم في الموعد نفسه كل ليلة\n4. لا تشرب القهوة بعد الظهر\n5. اترك الهاتف خارج الغرفة\n",
    ),
    (
        "hindi",
        "# गहरी नींद की पाँच छोटी आदतें\n\nआज रात एक से शुरुआत करें।\n\n1. सोने से एक घंटा पहले स्क्रीन बंद करें\n2. कमरा ठंडा और अँधेरा रखें\n\
         3. हर रात एक ही समय पर सोएँ\n4. दोपहर के बाद चाय न पिएँ\n5. फ़ोन कमरे के बाहर छोड़ें\n",
    ),
];

/// Texts as users send them.
const ARTICLES: [(&str, &str); 10] = [
    ("comparison", include_str!("../../../tests/data/sources/text/comparison.md")),
    ("checklist", include_str!("../../../tests/data/sources/text/checklist.md")),
    ("report", include_str!("../../../tests/data/sources/text/report-tables.md")),
    ("offer", include_str!("../../../tests/data/sources/text/angebot.txt")),
    ("myths", include_str!("../../../tests/data/sources/text/myths.md")),
    ("concert", include_str!("../../../tests/data/sources/text/concert.txt")),
    ("article", ARTICLE),
    ("steps", include_str!("../../../tests/data/steps.md")),
    ("tips", TIPS),
    ("interview", include_str!("../../../tests/data/sources/text/interview.md")),
];

impl Part {
    pub(super) const ALL: [Self; 8] = [
        Self::Templates,
        Self::Formats,
        Self::Scripts,
        Self::Seeds,
        Self::Brands,
        Self::Articles,
        Self::References,
        Self::Pictures,
    ];

    /// Renders the part.
    pub(super) fn draw(self, studio: &mut Studio<'_>, styles: &[Style]) -> Result<Vec<Sheet>> {
        match self {
            Self::Articles => articles(studio, styles),
            Self::References => Ok(vec![references::draw(studio)?]),
            Self::Pictures => pictures::draw(studio, styles),
            Self::Templates => styles.iter().map(|style| templates(studio, *style)).collect(),
            Self::Formats => styles.iter().map(|style| formats(studio, *style)).collect(),
            Self::Scripts => styles.iter().map(|style| scripts(studio, *style)).collect(),
            Self::Seeds => styles.iter().map(|style| seeds(studio, *style)).collect(),
            Self::Brands => styles.iter().map(|style| brands(studio, *style)).collect(),
        }
    }
}

pub(super) fn format(id: &str) -> Result<&'static Format> {
    Format::by_id(id).with_context(|| format!("there is no format {id:?}"))
}

fn templates(studio: &mut Studio<'_>, style: Style) -> Result<Sheet> {
    let mut rows: Vec<Row> = Vec::new();
    for id in RATIOS {
        let format = format(id)?;
        let (seed, fonts) = (studio.seed, studio.renderer.fonts());
        let pages: Vec<_> = Template::all().filter_map(|a| specimen(a, style, format.id, seed, fonts)).collect();
        rows.push(studio.row(&format!("{}-{id}", style.name()), &pages)?);
    }
    Ok(Sheet { file: format!("sheet-{}.png", style.name()), title: format!("{}: every template", style.name()), rows })
}

fn formats(studio: &mut Studio<'_>, style: Style) -> Result<Sheet> {
    let document = read_text(ARTICLE)?;
    let mut rows: Vec<Row> = vec![Row::new(), Row::new(), Row::new()];
    for format in Format::all() {
        let slides = format.slides.map(|s| s.default.min(4));
        let pages = studio.design(&document, style, format, slides, studio.seed);
        let row = studio.row(&format!("format-{}-{}", style.name(), format.id), &pages)?;
        let at = match format.density {
            Density::Poster | Density::Banner => 0,
            Density::Slide => 1,
            Density::Document => 2,
        };
        rows[at].extend(row);
    }
    // Limits the width of a sheet, so that no row has eighty images.
    let rows = rows.into_iter().flat_map(|row| chunks(row, 10)).collect();
    Ok(Sheet {
        file: format!("sheet-{}-formats.png", style.name()),
        title: format!("{}: every format", style.name()),
        rows,
    })
}

/// Splits `all` into parts of at most `most` each.
pub(super) fn chunks<T>(all: Vec<T>, most: usize) -> Vec<Vec<T>> {
    let mut out: Vec<Vec<T>> = Vec::new();
    for each in all {
        match out.last_mut() {
            Some(last) if last.len() < most => last.push(each),
            _ => out.push(vec![each]),
        }
    }
    out
}

fn scripts(studio: &mut Studio<'_>, style: Style) -> Result<Sheet> {
    let mut rows: Vec<Row> = Vec::new();
    for (name, text) in SCRIPTS {
        let document = read_text(text)?;
        let mut row = Row::new();
        for (id, slides) in [("instagram_carousel", Some(5)), ("instagram_post", None)] {
            let pages = studio.design(&document, style, format(id)?, slides, studio.seed);
            row.extend(studio.row(&format!("script-{name}-{}-{id}", style.name()), &pages)?);
        }
        rows.push(row);
    }
    let title = format!("{}: six scripts", style.name());
    Ok(Sheet { file: format!("sheet-{}-scripts.png", style.name()), title, rows })
}

fn seeds(studio: &mut Studio<'_>, style: Style) -> Result<Sheet> {
    let document = read_text(TIPS)?;
    let mut row = Row::new();
    for seed in 1..=SEEDS {
        let pages = studio.design(&document, style, format("instagram_post")?, None, seed);
        row.extend(studio.row(&format!("seed-{}-{seed:02}", style.name()), &pages)?);
        let cover = studio.design(&document, style, format("instagram_carousel")?, Some(5), seed);
        row.extend(studio.row(&format!("seed-{}-{seed:02}-cover", style.name()), &cover[..cover.len().min(1)])?);
    }
    let title = format!("{}: twenty seeds of one request", style.name());
    Ok(Sheet { file: format!("sheet-{}-seeds.png", style.name()), title, rows: chunks(row, 18) })
}

/// Brands: one with only a colour and a logo, one with a dark background, one with everything set.
fn kits() -> Result<[Brand; 3]> {
    let hex = |v: u32| Some(Color::hex(v));
    let plain =
        Brand { name: "Northbound".into(), primary: hex(0x0E7C4A), logo: Some(mark(0x0E7C4A)?), ..Brand::default() };
    let night = Brand {
        name: "Halden".into(),
        primary: hex(0xFF8A3D),
        background: hex(0x14181F),
        text: hex(0xF4EFE6),
        logo_dark: Some(mark(0xFF8A3D)?),
        handle: Some("@halden.studio".into()),
        footer: true,
        ..Brand::default()
    };
    let whole = Brand {
        name: "Maison Aube".into(),
        primary: hex(0x7A1F3D),
        secondary: hex(0xE9C8B4),
        accent: hex(0xC98A2B),
        background: hex(0xFBF6EF),
        text: hex(0x2A1A1F),
        heading: Some(Family::InstrumentSerif),
        body: Some(Family::InstrumentSans),
        url: Some("maisonaube.example".into()),
        footer: true,
        ..Brand::default()
    };
    Ok([plain, night, whole])
}

/// Returns a leaf-shaped mark, in the form of a parsed logo.
fn mark(hex: u32) -> Result<Logo> {
    const SIDE: u32 = 96;
    let [r, g, b] = [hex >> 16, hex >> 8 & 255, hex & 255].map(|v| v as u8);
    let inside = |x: u32, y: u32| {
        let (x, y, half) = (x as f32 + 0.5, y as f32 + 0.5, SIDE as f32 / 2.0);
        (x > half && y > half) || (x - half) * (x - half) + (y - half) * (y - half) <= half * half
    };
    let pixels = (0..SIDE * SIDE).flat_map(|i| [r, g, b, if inside(i % SIDE, i / SIDE) { 255 } else { 0 }]);
    let image = Image::new(SIDE, SIDE, pixels.collect::<Vec<u8>>())?;
    Ok(Logo { key: FileKey([0; 32]), width: SIDE, height: SIDE, pixels: Some(image) })
}

fn brands(studio: &mut Studio<'_>, style: Style) -> Result<Sheet> {
    let document = read_text(TIPS)?;
    let mut rows: Vec<Row> = Vec::new();
    for brand in kits()? {
        let wish = Wish { document: &document, style, seed: studio.seed, brand: Some(&brand) };
        let mut pages = studio.wish(&wish, format("instagram_carousel")?, Some(5));
        pages.extend(studio.wish(&wish, format("instagram_post")?, None));
        rows.push(
            studio.row(&format!("brand-{}-{}", style.name(), brand.name.replace(' ', "-").to_lowercase()), &pages)?,
        );
    }
    let title = format!("{}: three brands", style.name());
    Ok(Sheet { file: format!("sheet-{}-brands.png", style.name()), title, rows })
}

fn articles(studio: &mut Studio<'_>, styles: &[Style]) -> Result<Vec<Sheet>> {
    let mut rows: Vec<Row> = Vec::new();
    for (n, (name, text)) in ARTICLES.into_iter().enumerate() {
        let Some(style) = styles.get(n % styles.len().max(1)) else { continue };
        let document = read_text(text)?;
        let pages = studio.design(&document, *style, format("instagram_carousel")?, Some(8), studio.seed);
        rows.push(studio.row(&format!("article-{name}-{}", style.name()), &pages)?);
    }
    Ok(vec![Sheet { file: "sheet-articles.png".into(), title: "Ten texts as carousels".into(), rows }])
}
