//! Specimen pages: one of each archetype in a given style and format, for galleries and reference images.
//!
//! The words are our own and sized like real ones; everything else goes the way that a request goes.

use super::dress::{Dress, Place};
use super::{Draft, PlanRequest, Studio};
use crate::content::{Direction, Document, Evidence, Language, Sourced, Span};
use crate::design::{Archetype, Page, Style};
use crate::format::FormatId;
use crate::outline::{Copy, Figure, ItemCopy, Locale, PageKind, PageOutline};
use crate::raster::cpu::CpuRasteriser;
use crate::text::Fonts;

/// One page for each archetype, in the order of [`Archetype::ALL`]. An archetype that can't be set in the format
/// without breaking a hard measure is left out.
pub fn specimens(style: Style, format: FormatId, seed: u64, fonts: &Fonts) -> Vec<Page> {
    let studio = Studio { fonts, raster: CpuRasteriser::new() };
    let locale = Locale { language: Language::parse("en").expect("English is a language"), direction: Direction::Ltr };
    let document = document(&locale);
    let request =
        PlanRequest { document: &document, locale, formats: Vec::new(), style, seed, written: &[], brand: None };
    let format = format.format();
    let draft = |said: PageOutline| -> Option<Draft> {
        let dress = if format.carousel {
            Dress::slide(&request, &said, place(said.kind), fonts)
        } else {
            Dress::visual(&request, &said, fonts)
        };
        studio.draft(&dress, format, &said).map(|d| studio.proof(d))
    };
    Archetype::ALL.into_iter().filter_map(|a| draft(said(a, format.carousel))).map(|d| d.page).collect()
}

/// Where in a set of seven each kind of page stands.
fn place(kind: PageKind) -> Place {
    let index = match kind {
        PageKind::Cover => 0,
        PageKind::Point => 1,
        PageKind::Step => 2,
        PageKind::List => 3,
        PageKind::Stat => 4,
        PageKind::Quote => 5,
        PageKind::Recap => 6,
    };
    Place { index, count: 7, contrasts: kind == PageKind::Stat }
}

fn document(locale: &Locale) -> Document {
    let sourced = |text: &str| Sourced { text: text.into(), span: Span { start: 0, end: 0 } };
    Document {
        language: locale.language.clone(),
        direction: locale.direction,
        title: sourced("A garden that waters itself"),
        dek: None,
        source: None,
        blocks: Vec::new(),
        emphasis: Vec::new(),
        entities: Vec::new(),
        evidence: Evidence::default(),
        exact: false,
        sentences: Vec::new(),
    }
}

fn copy(wordings: &[&str]) -> Option<Copy> {
    Some(Copy { wordings: wordings.iter().map(|w| (*w).to_owned()).collect(), span: None })
}

fn item(head: &str, body: &str) -> ItemCopy {
    let one = |text: &str| Copy { wordings: vec![text.to_owned()], span: None };
    ItemCopy { head: one(head), body: (!body.is_empty()).then(|| one(body)) }
}

fn said(archetype: Archetype, in_set: bool) -> PageOutline {
    let kicker = in_set.then(|| copy(&["A garden that waters itself"])).flatten();
    let blank = PageOutline { kicker, ..PageOutline::blank(PageKind::Cover, 0.8) };
    match archetype {
        Archetype::CoverType => PageOutline {
            kicker: None,
            title: copy(&["A garden that waters itself"]),
            body: copy(&[
                "Five habits that keep a dry summer from becoming a second job.",
                "Five habits for a dry summer.",
            ]),
            ..blank
        },
        Archetype::PointSlide => PageOutline {
            kind: PageKind::Point,
            title: copy(&["Mulch before the heat, not after it"]),
            body: copy(&[
                "Five centimetres of bark keep the ground cool and hold the water that spring left there.",
                "Five centimetres of bark keep the ground cool.",
            ]),
            ..blank
        },
        Archetype::StepSlide => PageOutline {
            kind: PageKind::Step,
            number: Some(2),
            title: copy(&["Water at dawn, once, and deeply"]),
            body: copy(&[
                "Short showers every evening teach roots to stay shallow. One long drink sends them down.",
                "One long drink sends roots down.",
            ]),
            ..blank
        },
        Archetype::ListGrid => PageOutline {
            kind: PageKind::List,
            title: copy(&["Four plants that ask for little"]),
            items: vec![
                item("Lavender", "Poor soil and full sun. Cut it back in August."),
                item("Sedum", "Stores its own water, flowers when others stop."),
                item("Yarrow", "Deep roots, flat heads, loved by hoverflies."),
                item("Thyme", "Fills the gaps between stones and stays green."),
            ],
            ..blank
        },
        Archetype::BigStat => PageOutline {
            kind: PageKind::Stat,
            figure: Some(Figure {
                value: "62".into(),
                unit: "%".into(),
                number: 62.0,
                span: Span { start: 0, end: 0 },
            }),
            title: copy(&["of a summer’s tap water never reaches a root", "of tap water never reaches a root"]),
            attribution: copy(&["Trial of 40 allotments, June to August"]),
            ..blank
        },
        Archetype::Quote => PageOutline {
            kind: PageKind::Quote,
            title: copy(&["I stopped fighting the weather and started planting for it."]),
            attribution: copy(&["Ines Calder, allotment holder"]),
            ..blank
        },
        Archetype::RecapCta => PageOutline {
            kind: PageKind::Recap,
            title: copy(&["Recap"]),
            items: vec![
                item("Mulch before the heat", ""),
                item("Water at dawn, once, deeply", ""),
                item("Choose plants that ask for little", ""),
                item("Catch the roof’s rain", ""),
                item("Let the lawn go gold", ""),
            ],
            cta: copy(&["Plan your bed tonight"]),
            ..blank
        },
    }
}
