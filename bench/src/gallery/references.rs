//! Pages with the words of the reference images of the design (`docs/gallery`), each in the same style and shape.

use anyhow::{Context as _, Result};
use render_core::content::{Direction, Language, Span};
use render_core::design::{Brand, FileKey, Logo, Page, Style, Template};
use render_core::outline::{Copy, Figure, ItemCopy, Locale, PageKind, PageOutline};
use render_core::plan::specimens::{Sample, faults, sample};
use render_core::scene::{Color, Image};

use super::parts::{chunks, format};
use super::{Row, Sheet, Studio};

/// One page to render.
struct Reference {
    name: &'static str,
    style: Style,
    template: Template,
    format: &'static str,
    seed: u64,
    /// Index of the page in its set, and number of pages of the set.
    place: (usize, usize),
    /// Name, and handle or address.
    brand: (&'static str, &'static str),
    language: &'static str,
    page: PageOutline,
}

/// Returns the mark of a brand: `covers` gives the coverage of a pixel by its offset from the
/// centre.
fn mark(ink: [u8; 3], covers: fn(f32, f32) -> f32) -> Logo {
    const SIDE: u32 = 96;
    let pixel = |x: u32, y: u32| {
        let shown = covers(x as f32 - 47.5, y as f32 - 47.5).clamp(0.0, 1.0);
        [ink[0], ink[1], ink[2], (shown * 255.0) as u8]
    };
    let rgba: Vec<u8> = (0..SIDE * SIDE).flat_map(|i| pixel(i % SIDE, i / SIDE)).collect();
    let pixels = Image::new(SIDE, SIDE, rgba).ok();
    Logo { key: FileKey([ink[0]; 32]), width: SIDE, height: SIDE, pixels }
}

/// Coverage of a circle with one square corner.
fn drop(dx: f32, dy: f32) -> f32 {
    48.0 - if dx < 0.0 && dy > 0.0 { dx.abs().max(dy) } else { (dx * dx + dy * dy).sqrt() }
}

fn ring(dx: f32, dy: f32) -> f32 {
    16.0 - ((dx * dx + dy * dy).sqrt() - 32.0).abs()
}

/// Returns a brand kit with this name.
fn kit(name: &str, handle: &str) -> Brand {
    let brand = Brand {
        name: name.to_owned(),
        handle: (!handle.is_empty()).then(|| handle.to_owned()),
        footer: true,
        ..Brand::default()
    };
    let orange = [0xff, 0x4d, 0x14];
    match name {
        "Fieldnote" => Brand {
            primary: Some(Color::hex(0xFF4D14)),
            logo: Some(mark(orange, drop)),
            logo_dark: Some(mark([0xff, 0xf4, 0xec], drop)),
            ..brand
        },
        "Slowlane Review" => Brand { logo_dark: Some(mark([0xd7, 0xf3, 0x5c], ring)), ..brand },
        _ => brand,
    }
}

fn one(text: &str) -> Copy {
    Copy { wordings: vec![text.to_owned()], span: None }
}

fn some(text: &str) -> Option<Copy> {
    (!text.is_empty()).then(|| one(text))
}

fn item(head: &str, body: &str) -> ItemCopy {
    ItemCopy::new(one(head), some(body))
}

fn labelled(label: &str, head: &str, body: &str) -> ItemCopy {
    ItemCopy { label: some(label), ..item(head, body) }
}

fn row(head: &str, cells: &[&str], numbers: &[f64]) -> ItemCopy {
    let cells = cells.iter().map(|c| one(c)).collect();
    ItemCopy { cells, numbers: numbers.to_vec(), ..item(head, "") }
}

fn figure(value: &str, unit: &str, number: f64) -> Option<Figure> {
    Some(Figure { value: value.into(), unit: unit.into(), number, span: Span { start: 0, end: 0 } })
}

/// Returns a page with a title and supporting text.
fn page(kind: PageKind, kicker: &str, title: &str, body: &str) -> PageOutline {
    PageOutline { kicker: some(kicker), title: some(title), body: some(body), ..PageOutline::blank(kind, 0.8) }
}

/// Returns the pages of sets, with the style of each set.
fn slides() -> Vec<Reference> {
    let set = |name, template, index, page| Reference {
        name,
        style: Style::MODERN,
        template,
        format: "linkedin_carousel_portrait",
        seed: 13,
        place: (index, 7),
        brand: ("Fieldnote", "@fieldnote.team"),
        language: "en",
        page,
    };
    let about = "Meetings people don’t dread";
    let rules = [
        "Default to 25 minutes",
        "Write the decision before the invite",
        "Cap the room at five people",
        "Read first, talk second",
        "End with an owner and a date",
        "Delete one recurring invite a month",
    ];
    vec![
        set(
            "01a",
            Template::named("cover-type"),
            0,
            page(
                PageKind::Cover,
                "Team habits",
                about,
                "Six rules we borrowed from teams that got their calendars back.",
            ),
        ),
        set(
            "01b",
            Template::named("example-slide"),
            2,
            PageOutline {
                number: Some(2),
                items: vec![
                    item("“Q3 roadmap sync”", ""),
                    ItemCopy { group: 1, ..item("“Choose two of these five projects for Q3”", "") },
                ],
                ..page(
                    PageKind::Step,
                    about,
                    "Write the decision before the invite",
                    "If you can’t name what will be decided, you don’t need a room. You need a document.",
                )
            },
        ),
        set(
            "01c",
            Template::named("before-after"),
            4,
            PageOutline {
                figure: figure("−31", "%", -31.0),
                items: vec![row("Before", &["18.4 h a week"], &[18.4]), row("After", &["12.7 h"], &[12.7])],
                attribution: some("Sample data: one 46-person product team, Jan–Mar"),
                ..page(PageKind::Series, about, "Time in meetings after a quarter of decision-first invites", "")
            },
        ),
        set(
            "01d",
            Template::named("recap-cta"),
            6,
            PageOutline {
                items: rules.iter().map(|r| item(r, "")).collect(),
                number: Some(1),
                cta: some("Save for Monday"),
                ..page(PageKind::Recap, "Recap", "Try one rule this week", "")
            },
        ),
        Reference {
            format: "linkedin_carousel_portrait",
            style: Style::ELEGANT,
            brand: ("نوم أهدأ", ""),
            language: "ar",
            seed: 2,
            ..set(
                "15a",
                Template::named("cover-type"),
                0,
                page(PageKind::Cover, "دليل قصير", "خمس عادات صغيرة لنوم أعمق", "ابدأ بواحدة الليلة."),
            )
        },
        Reference {
            style: Style::MINIMAL,
            brand: ("", ""),
            language: "ja",
            seed: 0,
            ..set(
                "15b",
                Template::named("cover-type"),
                0,
                page(PageKind::Cover, "", "眠りを深くする五つの習慣", "今夜、ひとつだけ始めてみる。"),
            )
        },
    ]
}

/// Returns single pages in which words come first.
fn words() -> Vec<Reference> {
    let alone = |name, style, template, format, seed, brand, page| Reference {
        name,
        style,
        template,
        format,
        seed,
        place: (0, 1),
        brand,
        language: "en",
        page,
    };
    vec![
        alone(
            "02",
            Style::MINIMAL,
            Template::named("quote"),
            "instagram_post",
            14,
            ("", ""),
            PageOutline {
                attribution: some("Seneca, On the Shortness of Life"),
                ..page(
                    PageKind::Quote,
                    "On time",
                    "It is not that we have a short time to live, but that we waste a lot of it.",
                    "",
                )
            },
        ),
        alone(
            "03",
            Style::MINIMAL,
            Template::named("process-rows"),
            "instagram_square",
            4,
            ("Plainwork", "plainwork.co/critique"),
            PageOutline {
                items: vec![
                    labelled("5 min", "Frame", "Say what stage it is and what you need"),
                    labelled("10 min", "Read", "Everyone looks in silence, writes notes"),
                    labelled("20 min", "Discuss", "Questions first, then observations"),
                    labelled("5 min", "Decide", "The designer picks what to change"),
                ],
                ..page(PageKind::Process, "", "A design critique in 40 minutes", "")
            },
        ),
        alone(
            "04",
            Style::BOLD,
            Template::named("fill-stat"),
            "instagram_square",
            7,
            ("Wellwater", "@wellwater"),
            PageOutline {
                figure: figure("71", "%", 71.0),
                attribution: some("Source: USGS"),
                ..page(
                    PageKind::Stat,
                    "World Water Day",
                    "of Earth’s surface is water",
                    "Less than one percent of that water is fresh and within our reach.",
                )
            },
        ),
        alone(
            "05",
            Style::BOLD,
            Template::named("cover-lockup"),
            "instagram_story",
            1,
            ("Deepwork Club", ""),
            page(
                PageKind::Cover,
                "5-part series",
                "Stop doing five things at once",
                "Why single-tasking feels slow and finishes first",
            ),
        ),
        alone(
            "06",
            Style::ELEGANT,
            Template::named("list-grid"),
            "instagram_post",
            1,
            ("Maison Aube", "maisonaube.com"),
            PageOutline {
                items: vec![
                    item("Wake with light", "Curtains open a hand’s width. Let the room do the alarm’s job."),
                    item("Water, then tea", "A full glass first. The kettle can wait two minutes."),
                    item("One quiet page", "Write until the page ends, even if nothing happens on it."),
                    item("Leave the phone", "It stays in the hall until you have eaten something."),
                ],
                ..page(PageKind::List, "Rituals", "A slower morning", "")
            },
        ),
        alone(
            "07",
            Style::ELEGANT,
            Template::named("definition"),
            "instagram_square",
            1,
            ("", "@wordkeeper"),
            PageOutline {
                attribution: some("/ko·mo·re·bi/ noun, Japanese"),
                ..page(
                    PageKind::Definition,
                    "Untranslatable, no. 14",
                    "komorebi",
                    "Sunlight that filters through the leaves of trees, and the moving pattern it leaves on the ground.",
                )
            },
        ),
        alone(
            "08",
            Style::PLAYFUL,
            Template::named("tips-bento"),
            "instagram_post",
            9,
            ("Little Lunch Lab", "@littlelunchlab"),
            PageOutline {
                items: vec![
                    item("Orange and almonds", "Sweet now, slow later"),
                    item("Frozen cherries", "Like sweets, but fruit"),
                    item("Jammy egg", "Ready in seven minutes"),
                    item("Carrots, hummus", "Crunch that lasts"),
                    item("Milky cocoa", "Beats a wafer, every time"),
                ],
                ..page(PageKind::List, "", "5 snacks that beat 4pm", "")
            },
        ),
        alone(
            "11",
            Style::CREATIVE,
            Template::named("myth-fact"),
            "instagram_post",
            0,
            ("Nightschool", ""),
            PageOutline {
                groups: vec![one("Myth"), one("Fact")],
                items: vec![
                    item("Sleep debt can be repaid on Saturday", ""),
                    ItemCopy {
                        group: 1,
                        ..item(
                            "Weekend lie-ins only pay the interest",
                            "Mood lifts for a day. Reaction time and appetite take longer to come back.",
                        )
                    },
                ],
                ..PageOutline::blank(PageKind::MythFact, 0.8)
            },
        ),
        alone(
            "14",
            Style::MODERN,
            Template::named("article-card"),
            "linkedin_post",
            11,
            ("Slowlane Review", ""),
            PageOutline {
                attribution: some("8 min read, by Ana Ruiz"),
                ..page(PageKind::Cover, "", "The quiet cost of switching tasks", "")
            },
        ),
    ]
}

/// Returns single pages with figures and rows.
fn figures() -> Vec<Reference> {
    let alone = |name, style, template, format, seed, brand, page| Reference {
        name,
        style,
        template,
        format,
        seed,
        place: (0, 1),
        brand,
        language: "en",
        page,
    };
    let quarters = ["Q1 24", "Q2", "Q3", "Q4", "Q1 25", "Q2 25"];
    let (cloud, revenue) = ([100.0, 105.0, 113.0, 127.0, 146.0, 166.0], [100.0, 103.0, 107.0, 113.0, 117.0, 122.0]);
    let quarter =
        |i: usize| row(quarters[i], &[&format!("{}", cloud[i]), &format!("{}", revenue[i])], &[cloud[i], revenue[i]]);
    let findings = [
        item("41%", "of spend is idle compute"),
        item("3 teams", "drive two thirds of growth"),
        item("9 months", "to payback if rightsized"),
    ];
    vec![
        alone(
            "09",
            Style::CORPORATE,
            Template::named("line-chart"),
            "instagram_post",
            0,
            ("Harrow & Lane Advisory", "harrowlane.com"),
            PageOutline {
                groups: vec![one("Cloud spend"), one("Revenue")],
                items: (0..6).map(quarter).chain(findings).collect(),
                attribution: some("Illustrative data"),
                ..page(
                    PageKind::Series,
                    "Infrastructure review",
                    "Cloud spend grows three times as fast as revenue",
                    "Indexed growth (Q1 2024 = 100)",
                )
            },
        ),
        alone(
            "10",
            Style::CORPORATE,
            Template::named("compare-table"),
            "instagram_square",
            3,
            ("Ledgerline", "ledgerline.io"),
            PageOutline {
                groups: vec![one("Build in-house"), one("Buy hosted")],
                items: vec![
                    row("First invoice", &["5–7 months", "3 weeks"], &[]),
                    row("Year-one cost", &["€410,000", "€96,000"], &[]),
                    row("Tax updates", &["Your roadmap", "Included"], &[]),
                    row("Custom pricing", &["Anything", "Most models"], &[]),
                    row("Choose it when", &["Billing is your product", "Billing is a utility"], &[]),
                ],
                ..page(PageKind::Table, "", "Build or buy your billing system?", "")
            },
        ),
        alone(
            "12",
            Style::DARK,
            Template::named("timeline-v"),
            "instagram_post",
            18,
            ("", "@longview"),
            PageOutline {
                items: vec![
                    labelled("1957", "Sputnik 1", "First artificial satellite, 4 October"),
                    labelled("1961", "Vostok 1", "Gagarin orbits Earth in 108 minutes"),
                    labelled("1965", "Voskhod 2", "Leonov makes the first spacewalk"),
                    labelled("1968", "Apollo 8", "Three people circle the Moon on 24 December"),
                    labelled("1969", "Apollo 11", "Armstrong and Aldrin land, 20 July"),
                ],
                ..page(PageKind::Timeline, "Space race, 1957 to 1969", "Twelve years to the Moon", "")
            },
        ),
        alone(
            "13",
            Style::DARK,
            Template::named("kpi-bento"),
            "instagram_square",
            1,
            ("Parcelry", "parcelry.com"),
            PageOutline {
                items: vec![
                    ItemCopy {
                        body: some("+27% on Q1"),
                        ..row(
                            "Orders shipped",
                            &["48,210", ""],
                            &[31.0, 33.5, 32.8, 36.1, 38.4, 37.9, 41.2, 43.6, 44.9, 48.2],
                        )
                    },
                    row("On time", &["96", "%"], &[96.0]),
                    row("Average pick", &["3.4", "min"], &[5.2, 4.9, 4.7, 4.4, 4.2, 3.9, 3.4]),
                    row("Returns", &["1.8", "%"], &[1.8]),
                ],
                ..page(PageKind::Figures, "Apr–Jun 2025", "Second quarter", "")
            },
        ),
    ]
}

/// Renders all pages.
pub(super) fn draw(studio: &mut Studio<'_>) -> Result<Sheet> {
    let mut row = Row::new();
    for reference in slides().into_iter().chain(words()).chain(figures()) {
        let pages = reference.pages(studio)?;
        row.extend(studio.row(&format!("reference-{}", reference.name), &pages)?);
    }
    let title = "The words of the reference pictures".into();
    Ok(Sheet { file: "sheet-references.png".into(), title, rows: chunks(row, 7) })
}

impl Reference {
    fn pages(&self, studio: &Studio<'_>) -> Result<Vec<Page>> {
        let language = Language::parse(self.language).context("a language")?;
        let direction = if self.language == "ar" { Direction::Rtl } else { Direction::Ltr };
        let (name, handle) = self.brand;
        let brand = kit(name, handle);
        let asked = Sample {
            said: &self.page,
            template: self.template,
            locale: &Locale { language, direction },
            style: self.style,
            format: format(self.format)?.id,
            seed: self.seed,
            brand: (!name.is_empty() || !handle.is_empty()).then_some(&brand),
            place: self.place,
        };
        let fonts = studio.renderer.fonts();
        let made = sample(&asked, fonts);
        if made.is_none() {
            println!("reference {} can't be set: {}", self.name, faults(&asked, fonts).join(", "));
        }
        Ok(made.into_iter().collect())
    }
}
