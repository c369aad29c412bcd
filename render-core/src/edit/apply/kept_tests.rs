//! Tests what an edit preserves of a page's look beside the requested change.

use super::super::{Ground, Hue, ItemWords, Op, Target, propose, propose_clauses};
use super::space::goes;
use super::{Applied, apply};
use crate::compose::compose;
use crate::design::{Brand, FileKey, Logo, LogoPlace, Page, Part, Slot, SlotId, Style, Template, Which};
use crate::format::Format;
use crate::plan::specimens::specimen;
use crate::scene::{Color, Coverage, Image, Item, Paint, Role, Scene, TextBlock};
use crate::text::{Family, Fonts};

fn page(template: Template, style: Style, seed: u64, fonts: &Fonts) -> Page {
    specimen(template, style, Format::by_id("instagram_post").unwrap().id, seed, fonts).unwrap()
}

fn done(page: &Page, ops: &[Op], fonts: &Fonts) -> Applied {
    apply(ops, &Target::new(page, 1, None, fonts)).unwrap_or_else(|e| panic!("{ops:?}: {e}"))
}

fn block<'a>(scene: &'a Scene, slot: &str) -> &'a TextBlock {
    scene.blocks.iter().find(|b| b.slot == slot).unwrap_or_else(|| panic!("no {slot}"))
}

/// Returns the font families and weights of a text.
fn faces(scene: &Scene, slot: &str, fonts: &Fonts) -> Vec<(Family, u16)> {
    let of = scene.blocks.iter().position(|b| b.slot == slot).unwrap() as u32;
    let runs = scene.items.iter().filter_map(|item| match (&item.role, &item.coverage) {
        (Role::Text(n), Coverage::Glyphs(run)) if *n == of => Some((fonts.family(run.face), fonts.weight(run.face))),
        _ => None,
    });
    runs.collect()
}

fn solids<'a>(scene: &'a Scene, of: impl Fn(&Item) -> bool + 'a) -> impl Iterator<Item = Color> + 'a {
    scene.items.iter().filter(move |i| of(i)).filter_map(|i| if let Paint::Solid(c) = i.paint { Some(c) } else { None })
}

const GREEN: Color = Color::hex(0x1f_9d_55);

#[test]
fn an_accent_that_is_asked_for_shows_or_is_said_not_to() {
    let fonts = Fonts::new();
    let accent = Op::Colour { hue: Hue::Accent, to: GREEN };
    for style in Style::all() {
        for template in Template::all() {
            let format = Format::by_id("instagram_post").unwrap().id;
            let Some(page) = specimen(template, style, format, 3, &fonts) else { continue };
            let before = compose(&page, &fonts).scene;
            let after = done(&page, std::slice::from_ref(&accent), &fonts);
            let shows = solids(&after.composed.scene, |_| true).ne(solids(&before, |_| true))
                || after.composed.scene.items != before.items;
            assert!(shows || !after.notes.is_empty(), "{style:?} {template:?}");
        }
    }
    // If the design shows no accent, the kicker gets it.
    let mut plain = page(Template::named("point-slide"), Style::MINIMAL, 5, &fonts);
    (plain.art, plain.picture) = (None, None);
    plain.slots.retain(|s| s.id != SlotId::Kicker);
    let kicker = Slot { id: SlotId::Kicker, text: "Field notes".into(), span: None, emphasis: Vec::new() };
    plain.slots.insert(0, kicker);
    let after = done(&plain, &[accent], &fonts);
    let ink = block(&after.composed.scene, "kicker").color.to_oklch();
    assert!((ink.h - GREEN.to_oklch().h).abs() < 8.0 && ink.c > 0.05, "{ink:?}");
    assert!(after.notes[0].contains("kicker"), "{:?}", after.notes);
}

#[test]
fn more_space_is_tighter_nowhere_and_less_is_looser_nowhere() {
    let fonts = Fonts::new();
    for style in [Style::MINIMAL, Style::CORPORATE, Style::PLAYFUL, Style::DARK] {
        for template in [
            Template::named("checklist"),
            Template::named("list-grid"),
            Template::named("list-numbered"),
            Template::named("point-slide"),
            Template::named("tips-bento"),
            Template::named("timeline-v"),
        ] {
            let page = page(template, style, 5, &fonts);
            let before = compose(&page, &fonts).scene;
            for (to, wider) in [(150, true), (120, true), (80, false)] {
                let Ok(after) = apply(&[Op::Space(to)], &Target::new(&page, 1, None, &fonts)) else { continue };
                let held = goes(&before, &after.composed.scene, wider);
                assert!(held || !wider, "{style:?} {template:?} {to}: {:?}", after.notes);
                assert_eq!(after.page.adjust.space > 100, wider);
            }
        }
    }
}

#[test]
fn art_and_fields_are_seen_on_another_ground() {
    let fonts = Fonts::new();
    for (template, style) in [
        (Template::named("list-grid"), Style::MODERN),
        (Template::named("cover-type"), Style::MINIMAL),
        (Template::named("cover-type"), Style::ELEGANT),
        (Template::named("list-grid"), Style::CORPORATE),
        (Template::named("cover-type"), Style::DARK),
        (Template::named("cover-type"), Style::BOLD),
    ] {
        let page = page(template, style, 7, &fonts);
        for ground in [0x0b_1f_3a, 0xff_ff_ff, 0xff_d4_00, 0x71_71_71] {
            let to = Color::hex(ground);
            let after = done(&page, &[Op::Colour { hue: Hue::Background, to }], &fonts).page.palette;
            let was = page.palette;
            let faint = |n: usize| was.art[n].contrast(was.bg) < 1.2;
            let lost: Vec<Color> = (0..5).filter(|n| !faint(*n)).map(|n| after.art[n]).collect();
            let told = |c: Color| c == after.bg || c.contrast(after.bg) >= 1.1;
            let name = format!("{style:?} on {}", after.bg.to_hex());
            // The palest tone of a style may be close to its ground.
            assert!(lost.iter().filter(|c| !told(**c)).count() <= 1, "{name}: {lost:?}");
            assert!(after.art[0].contrast(after.bg) >= 1.5, "{name}: {}", after.art[0].to_hex());
            assert!(after.accent.contrast(after.bg) >= 1.6, "{name}: {}", after.accent.to_hex());
            assert!(after.field.contrast(after.bg) >= 1.25, "{name}: {}", after.field.to_hex());
            assert!(after.on_field.contrast(after.field) >= 4.5, "{name}: {}", after.field.to_hex());
        }
    }
}

#[test]
fn a_weight_reaches_words_in_italics() {
    let fonts = Fonts::new();
    let title = |to| [Op::Weight { part: Part::Headline, to }];
    // Newsreader's italic has a weight that matches the heaviest upright.
    let mut elegant = page(Template::named("point-slide"), Style::ELEGANT, 2, &fonts);
    let slot = elegant.slots.iter_mut().find(|s| s.id == SlotId::Title).expect("a title");
    slot.text = "Mulch before the heat".to_owned();
    let before = faces(&compose(&elegant, &fonts).scene, "title", &fonts);
    let after = done(&elegant, &title(700), &fonts);
    let set = faces(&after.composed.scene, "title", &fonts);
    let italic = |all: &[(Family, u16)]| all.iter().find(|(f, _)| *f == Family::NewsreaderItalic).map(|(_, w)| *w);
    assert_eq!((italic(&before), italic(&set)), (Some(300), Some(400)), "{set:?}");
    // Instrument Serif's italic has one weight: beside heavy letters the words become upright, and a note says so.
    let mut creative = page(Template::named("cover-type"), Style::CREATIVE, 8, &fonts);
    creative.faces.display = Family::Manrope;
    let set = faces(&compose(&creative, &fonts).scene, "title", &fonts);
    assert!(set.iter().any(|(f, _)| *f == Family::InstrumentSerifItalic), "{set:?}");
    let after = done(&creative, &title(600), &fonts);
    let set = faces(&after.composed.scene, "title", &fonts);
    assert!(set.iter().all(|(f, w)| *f == Family::Manrope && *w == 600), "{set:?}");
    assert!(after.notes.iter().any(|n| n.contains("stand upright")), "{:?}", after.notes);
}

#[test]
fn a_weight_holds_the_size() {
    let fonts = Fonts::new();
    for (template, style, to) in [
        (Template::named("quote"), Style::MODERN, 300),
        (Template::named("point-slide"), Style::MODERN, 500),
        (Template::named("point-slide"), Style::ELEGANT, 500),
        (Template::named("cover-type"), Style::ELEGANT, 500),
        (Template::named("cover-type"), Style::MODERN, 500),
    ] {
        let page = page(template, style, 7, &fonts);
        let before = block(&compose(&page, &fonts).scene, "title").size;
        let after = done(&page, &[Op::Weight { part: Part::Headline, to }], &fonts);
        let size = block(&after.composed.scene, "title").size;
        let told = after.notes.iter().any(|n| n.contains("as near to"));
        assert!((size - before).abs() < 2.0 || told, "{style:?} {template:?}: {before} {size} {:?}", after.notes);
    }
}

#[test]
fn emphasis_is_the_styles_own() {
    let fonts = Fonts::new();
    let stressed = |template, style, seed, word: &str| {
        let page = page(template, style, seed, &fonts);
        let scene = done(&page, &[Op::Stress { slot: SlotId::Title, words: vec![word.into()] }], &fonts).composed.scene;
        (page, scene)
    };
    // A block in the headline's colour, as behind the previously emphasised words.
    let (_, scene) = stressed(Template::named("point-slide"), Style::BOLD, 1, "Mulch");
    let spots = &block(&scene, "title").spots;
    assert!(matches!(spots.as_slice(), [s] if s.on.is_some()), "{spots:?}");
    let (_, scene) = stressed(Template::named("cover-type"), Style::CREATIVE, 8, "garden");
    let set = faces(&scene, "title", &fonts);
    assert!(set.iter().any(|(f, _)| *f == Family::InstrumentSerifItalic), "{set:?}");
    // A wavy line under a word that has room for it.
    let (page, scene) = stressed(Template::named("tips-bento"), Style::PLAYFUL, 4, "drought");
    let waves = solids(&scene, |i| matches!((&i.role, &i.coverage), (Role::Text(_), Coverage::Path { .. })));
    let waves: Vec<Color> = waves.collect();
    assert!(waves.is_empty() && block(&scene, "title").spots.len() == 1, "{waves:?}");
    let (_, scene) = stressed(Template::named("tips-bento"), Style::PLAYFUL, 4, "that");
    let mut waves = solids(&scene, |i| matches!((&i.role, &i.coverage), (Role::Text(_), Coverage::Path { .. })));
    assert!(waves.any(|c| c == page.palette.accent2));
}

#[test]
fn the_brands_name_goes_with_its_logo() {
    let fonts = Fonts::new();
    let pixels = Image::new(60, 60, [215, 38, 61, 255].repeat(3_600)).ok();
    let logo = Logo { key: FileKey([7; 32]), width: 60, height: 60, pixels };
    let mut page = page(Template::named("cover-type"), Style::MINIMAL, 5, &fonts);
    page.logo = Some(logo.clone());
    page.slots.insert(0, Slot { id: SlotId::Brand, text: "Acme".into(), span: None, emphasis: Vec::new() });
    let brand = Brand { name: "Acme".into(), logo: Some(logo), ..Brand::default() };
    let target = Target::new(&page, 1, Some(&brand), &fonts);
    for place in LogoPlace::ALL {
        for percent in [100, 200] {
            let scene = if (place, percent) == (LogoPlace::HeadStart, 100) {
                target.scene.clone()
            } else {
                let op = Op::Logo { shown: true, place, percent };
                apply(&[op], &target).unwrap().composed.scene
            };
            let sign = scene.items.iter().find(|i| matches!(i.paint, Paint::Image { .. })).unwrap();
            let (sign, name) = (sign.coverage.bounds(), block(&scene, "brand").ink);
            let gap = (name.x0 - sign.x1).max(sign.x0 - name.x1);
            let level = (name.center().y - sign.center().y).abs();
            assert!((0.0..40.0).contains(&gap) && level < 10.0, "{place:?} {percent}: {name:?} {sign:?}");
            assert_eq!(name.center().y > 0.5 * scene.size.h, place.is_low());
            let at_end = matches!(place, LogoPlace::HeadEnd | LogoPlace::FootEnd);
            assert_eq!(name.center().x > 0.5 * scene.size.w, at_end);
        }
    }
}

#[test]
fn as_large_as_it_fits_is_the_largest() {
    let fonts = Fonts::new();
    for (template, style) in [
        (Template::named("cover-type"), Style::ELEGANT),
        (Template::named("cover-type"), Style::MODERN),
        (Template::named("point-slide"), Style::MINIMAL),
        (Template::named("list-grid"), Style::CORPORATE),
    ] {
        let page = page(template, style, 2, &fonts);
        let target = [Target::new(&page, 1, None, &fonts)];
        let before = target[0].size(Which::All(Part::Headline)).unwrap();
        // A headline that already uses all the room stays.
        let Ok(largest) = propose_clauses("set the headline size to 2000", false, &target, 0) else { continue };
        let after = &largest.edited[0].composed.scene;
        let size = block(after, "title").size;
        assert!(size >= before, "{style:?} {template:?}: {before} {size}");
        assert!(after.blocks.len() >= target[0].scene.blocks.len(), "{style:?} {template:?}");
        // No explicit size exceeds the largest one.
        for more in [1.08, 1.25, 2.0] {
            let clause = format!("set the headline size to {:.0}", more * size);
            let Ok(asked) = propose_clauses(&clause, false, &target, 0) else { continue };
            let reached = block(&asked.edited[0].composed.scene, "title").size;
            assert!(reached < 1.06 * size, "{style:?} {template:?}: {size} {reached}");
        }
    }
}

#[test]
fn a_headline_that_still_counts_what_is_gone_is_told() {
    let fonts = Fonts::new();
    let page = page(Template::named("tips-bento"), Style::MODERN, 7, &fonts);
    let heads = super::words::heads(&page);
    let fewer = Op::Items(heads[1..].iter().map(|h| ItemWords { head: h.clone(), body: None }).collect());
    let notes = done(&page, std::slice::from_ref(&fewer), &fonts).notes;
    assert!(notes.iter().any(|n| n == "The headline still says “5”, and there are 4 now."), "{notes:?}");
    let title = Op::Words { slot: SlotId::Title, to: "4 things that beat a drought".into() };
    let notes = done(&page, &[fewer, title], &fonts).notes;
    assert!(!notes.iter().any(|n| n.contains("still says")), "{notes:?}");
}

#[test]
fn a_ground_that_is_so_already_leaves_edited_colours_and_costs_nothing() {
    let fonts = Fonts::new();
    let plain = page(Template::named("list-numbered"), Style::MINIMAL, 4, &fonts);
    let navy = Op::Colour { hue: Hue::Background, to: Color::hex(0x14_21_3d) };
    let accent = Op::Colour { hue: Hue::Accent, to: GREEN };
    for (edit, prompt) in [(navy, "use a dark background"), (accent, "use a light background")] {
        let edited = done(&plain, &[edit], &fonts).page;
        let target = Target::new(&edited, 2, None, &fonts);
        let proposal = propose(prompt, std::slice::from_ref(&target), 0).unwrap();
        assert!(proposal.edited.is_empty() && proposal.changes.is_empty(), "{prompt}: {}", proposal.instruction);
        assert!(proposal.notes.iter().any(|note| note.contains("already")), "{prompt}: {:?}", proposal.notes);
    }
    // Likewise on a page without an earlier edit.
    let target = Target::new(&plain, 1, None, &fonts);
    assert!(propose("use a light background", &[target], 0).unwrap().edited.is_empty());
}

#[test]
fn an_accent_that_was_asked_for_outlives_its_ground() {
    let fonts = Fonts::new();
    let plain = page(Template::named("list-numbered"), Style::MODERN, 7, &fonts);
    let closed = done(&plain, &[Op::Ground(Ground::Close)], &fonts).page;
    let own = done(&closed, &[Op::Ground(Ground::Own)], &fonts).page;
    assert_eq!(own.palette, plain.palette, "without an edit it is the style's");
    let green = done(&closed, &[Op::Colour { hue: Hue::Accent, to: GREEN }], &fonts).page;
    let back = done(&green, &[Op::Ground(Ground::Own)], &fonts).page;
    assert_ne!(back.palette.accent, plain.palette.accent);
    let hue = |c: Color| c.to_oklch().h;
    assert!((hue(back.palette.accent) - hue(GREEN)).abs() < 8.0, "{:?}", back.palette.accent.to_hex());
}
