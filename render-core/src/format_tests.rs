//! Checks that the catalogue is consistent and its sizes are correct.

use std::collections::BTreeSet;

use super::*;
use crate::limits;

#[test]
fn the_catalogue_is_whole() {
    let all = Format::all();
    assert_eq!(all.len(), 185);
    let ids: BTreeSet<&str> = all.iter().map(|f| f.id.as_str()).collect();
    assert_eq!(ids.len(), all.len(), "ids are unique");
    let per_category: Vec<usize> = (0..9).map(|c| all.iter().filter(|f| f.category as usize == c).count()).collect();
    assert_eq!(per_category, [62, 26, 32, 11, 25, 6, 7, 6, 10].to_vec());
    assert!(all.is_sorted_by_key(|f| f.category));
    for f in all {
        assert!(f.description.ends_with('.') && f.description.len() > 20, "{}", f.id);
        assert!(!f.name.is_empty() && !f.platform.is_empty(), "{}", f.id);
        assert_eq!(Format::by_id(f.id.as_str()), Some(f));
    }
    assert_eq!(Format::by_id("myspace_post"), None);
}

#[test]
fn every_aspect_can_be_laid_out() {
    for f in Format::all() {
        let aspect = f.size_du().aspect();
        assert!((1.0 / 5.0..=11.0).contains(&aspect), "{}: {aspect}", f.id);
        assert!((f.size_du().short() - 1080.0).abs() < 1e-3, "{}", f.id);
        let safe = f.safe_rect_du();
        assert!(safe.w() > 300.0 && safe.h() > 300.0, "{}: {safe:?}", f.id);
        let Insets { top, right, bottom, left } = f.safe;
        assert!([top, right, bottom, left].iter().all(|side| (0.0..=0.6).contains(side)), "{}: {:?}", f.id, f.safe);
        assert!(top + bottom <= 0.75 && left + right <= 0.75, "{}: {:?}", f.id, f.safe);
    }
}

#[test]
fn sizes_follow_the_rule() {
    for f in Format::all() {
        assert_eq!(f.size(Resolution::Exact), (f.width, f.height), "{}", f.id);
        assert!(f.width.max(f.height) <= limits::EDGE_PX && f.width.min(f.height) >= 50, "{}", f.id);
        let (w, h) = f.size(Resolution::TwoK);
        assert_eq!(w.max(h), 2048, "{}", f.id);
        assert_eq!(w.min(h) % 2, 0, "{}", f.id);
        let (long, short) = (f.width.max(f.height), f.width.min(f.height));
        let exact = 1024.0 * f64::from(short) / f64::from(long);
        assert_eq!(w.min(h), 2 * exact.round() as u32, "{}", f.id);
        assert_eq!(f.size(Resolution::FourK), (2 * w, 2 * h), "{}", f.id);
        assert!(f.size(Resolution::FourK).0 <= limits::EDGE_PX);
    }
    let size = |id: &str| Format::by_id(id).map(|f| f.size(Resolution::TwoK));
    assert_eq!(size("instagram_post"), Some((1638, 2048)));
    assert_eq!(size("linkedin_post"), Some((2048, 1070)));
    assert_eq!(size("podcast_cover"), Some((2048, 2048)));
    let exact = |id: &str| Format::by_id(id).map(|f| f.size(Resolution::Exact));
    assert_eq!(exact("ad_mpu"), Some((300, 250)));
    assert_eq!(exact("ad_leaderboard_728x90"), Some((728, 90)));
}

/// Width and height in millimetres of every printed format.
const PAPERS: [(&str, f32, f32); 28] = [
    ("case_study_cover", 210.0, 297.0),
    ("presentation_a4", 297.0, 210.0),
    ("presentation_letter", 279.4, 215.9),
    ("one_pager", 210.0, 297.0),
    ("poster_a4", 210.0, 297.0),
    ("poster_a3", 297.0, 420.0),
    ("flyer_a5", 148.0, 210.0),
    ("report_cover", 210.0, 297.0),
    ("us_letter", 215.9, 279.4),
    ("letter_one_pager", 215.9, 279.4),
    ("a5_handout", 148.0, 210.0),
    ("report_cover_letter", 215.9, 279.4),
    ("white_paper_cover", 210.0, 297.0),
    ("poster_a2", 420.0, 594.0),
    ("poster_18x24", 457.2, 609.6),
    ("flyer_a6", 105.0, 148.0),
    ("flyer_dl", 99.0, 210.0),
    ("business_card", 85.0, 55.0),
    ("business_card_us", 88.9, 50.8),
    ("postcard_a6", 148.0, 105.0),
    ("postcard_us", 152.4, 101.6),
    ("invitation_card", 127.0, 177.8),
    ("menu_a4", 210.0, 297.0),
    ("certificate_a4", 297.0, 210.0),
    ("name_badge", 105.0, 74.0),
    ("sticker_square", 50.0, 50.0),
    ("bookmark", 50.8, 152.4),
    ("roll_up", 850.0, 2000.0),
];

#[test]
fn what_is_printed_has_the_size_of_its_paper() {
    for (id, width, height) in PAPERS {
        let format = Format::by_id(id).unwrap();
        let (w, h) = format.size_points();
        let (w, h) = (w * 25.4 / 72.0, h * 25.4 / 72.0);
        assert!((w - width).abs() < 0.01 && (h - height).abs() < 0.01, "{id}: {w} × {h} mm");
        // The pixels of the format are square.
        let (across, down) = (format.width as f32 / width, format.height as f32 / height);
        assert!((across / down - 1.0).abs() < 0.003, "{id}: {across} and {down} pixels a millimetre");
    }
    for format in Format::all() {
        let is_printed = format.category == Category::Document || format.platform == "Print";
        let is_listed = PAPERS.iter().any(|(id, ..)| *id == format.id.as_str());
        assert!(is_listed || !is_printed && format.paper.is_none(), "{} has no known size", format.id);
    }
    assert_eq!(Format::by_id("presentation_slide").unwrap().size_points(), (1440.0, 810.0));
}

#[test]
fn paragraphs_are_larger_than_notes_on_posters() {
    for f in Format::all() {
        let (least, note, body) = (f.smallest_size(), f.smallest_note(), f.smallest_body());
        assert!(least <= note && note <= body, "{}: {least} {note} {body}", f.id);
        assert!(f.density != Density::Poster || (note >= 30.0 && body >= 36.0), "{}: {note} {body}", f.id);
    }
}

#[test]
fn the_smallest_text_can_be_read_at_the_platforms_own_size() {
    for f in Format::all() {
        let pixels = f.smallest_size() / f.pixel_du();
        assert!(pixels >= 9.5 - 1e-3, "{}: {pixels} px", f.id);
    }
}

#[test]
fn slide_bounds_hold() {
    for f in Format::all() {
        assert_eq!(f.carousel, f.slides.is_some());
        if let Some(s) = f.slides {
            assert!(1 <= s.min && s.min <= s.default && s.default <= s.max && s.max <= limits::SLIDES, "{}", f.id);
        }
    }
    assert_eq!(Format::all().iter().filter(|f| f.carousel).count(), 17);
}

#[test]
fn safe_areas() {
    let post = Format::by_id("instagram_post").unwrap();
    let safe = post.safe_rect_du();
    assert!((safe.x0 - 43.2).abs() < 0.1 && (safe.y0 - 43.2).abs() < 0.5, "{safe:?}");
    let cover = Format::by_id("facebook_cover").unwrap();
    let (safe, size) = (cover.safe_rect_du(), cover.size_du());
    assert!((safe.w() / size.w - 0.39).abs() < 1e-3 && (safe.h() / size.h - 0.5).abs() < 1e-3);
}

#[test]
fn names_on_the_wire() {
    let id = Format::by_id("title_slide").unwrap().id;
    assert_eq!(serde_json::to_string(&id).unwrap(), "\"title_slide\"");
    assert_eq!(serde_json::from_str::<FormatId>("\"title_slide\"").unwrap(), id);
    assert!(serde_json::from_str::<FormatId>("\"nope\"").is_err());
    assert_eq!(Resolution::by_name("4K"), Some(Resolution::FourK));
    assert_eq!(serde_json::to_string(&Resolution::TwoK).unwrap(), "\"2K\"");
    let label = |id: &str| Format::by_id(id).unwrap().aspect_ratio_label();
    assert_eq!(label("instagram_post"), "4:5");
    assert_eq!(label("twitter_post"), "16:9");
    assert_eq!(label("linkedin_post"), "1.91:1");
    assert_eq!(label("linkedin_banner"), "4:1");
    assert_eq!(label("one_pager"), "1:1.41");
}

#[test]
fn unknown_keys_are_refused() {
    let text = include_str!("../assets/formats.toml").replacen("\nplatform =", "\nplatfrom =", 1);
    assert!(read(&text).is_err());
}
