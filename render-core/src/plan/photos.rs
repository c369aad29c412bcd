//! Assigns pictures of the source to pages: one that leads the text to the cover, one in a section to that section's
//! page, and others to the page whose words match best. A picture that was supplied beside the source goes to any free
//! page. Each is shown once, and never three pages in a row have one.

use super::{Pictured, PlanRequest};
use crate::content::Given;
use crate::design::{Crop, Photo};
use crate::outline::{PageKind, PageOutline, Support};

/// Fewest letters of a word that counts, and number of leading letters that two forms of one word share.
const WORD: usize = 4;
const STEM: usize = 6;
/// Fewest words that a picture and a page must share, unless the picture stands in the page's section.
const SHARED: usize = 2;

/// A picture that a page may show, and its description.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shot<'a> {
    pub photo: &'a Photo,
    pub words: &'a str,
}

/// The properties of a picture that affect the choice of a template.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Seen {
    /// Whether it is never cropped.
    pub whole: bool,
    /// Width over height.
    pub aspect: f32,
}

impl Seen {
    pub fn of(photo: &Photo) -> Self {
        Self { whole: photo.crop == Crop::Whole, aspect: photo.width as f32 / photo.height.max(1) as f32 }
    }
}

/// Returns the picture of each page of a set.
pub(super) fn set<'a>(pages: &[PageOutline], request: &PlanRequest<'a>) -> Vec<Option<Shot<'a>>> {
    let mut out: Vec<Option<Shot<'a>>> = vec![None; pages.len()];
    let mut left: Vec<&Pictured> = request.pictures.iter().collect();
    for (place, _) in out.iter_mut().zip(pages).filter(|(_, page)| page.kind == PageKind::Cover) {
        *place = cover(request, &mut left);
    }
    // Pictures whose section has a page come first, because their match is certain.
    let places: [fn(&PageOutline, &Pictured) -> usize; 2] = [in_section, in_words];
    for likeness in places {
        left.retain(|picture| {
            let free = (0..pages.len()).filter(|i| shows(&pages[*i]) && has_room(&out, *i));
            let best = free.map(|i| (likeness(&pages[i], picture), std::cmp::Reverse(i))).max();
            let Some((_, std::cmp::Reverse(i))) = best.filter(|(score, _)| *score > 0) else { return true };
            out[i] = Some(shot(picture));
            false
        });
    }
    spread(pages, &mut out, left);
    out
}

/// Places supplied pictures where there is room: a photograph on a cover that has none, then on the pages between, in
/// order.
fn spread<'a>(pages: &[PageOutline], out: &mut [Option<Shot<'a>>], mut left: Vec<&'a Pictured>) {
    left.retain(|picture| picture.image.given.is_some());
    for (place, page) in out.iter_mut().zip(pages) {
        let photograph = left.iter().position(|picture| picture.photo.crop == Crop::Cover);
        if let Some(at) = photograph.filter(|_| place.is_none() && page.kind == PageKind::Cover) {
            *place = Some(shot(left.remove(at)));
        }
    }
    for picture in left {
        if let Some(i) = (0..pages.len()).find(|i| shows(&pages[*i]) && has_room(out, *i)) {
            out[i] = Some(shot(picture));
        }
    }
}

/// Returns the picture of a single page.
pub(super) fn single<'a>(said: &PageOutline, request: &PlanRequest<'a>) -> Option<Shot<'a>> {
    set(std::slice::from_ref(said), request).pop().flatten()
}

/// Returns whether a picture was supplied for the cover.
pub(super) fn is_given(request: &PlanRequest<'_>) -> bool {
    request.pictures.iter().any(|picture| picture.image.given == Some(Given::Cover))
}

/// Returns the picture supplied for the cover, else the request's photograph, else one before the first section.
fn cover<'a>(request: &PlanRequest<'a>, left: &mut Vec<&'a Pictured>) -> Option<Shot<'a>> {
    if let Some(at) = left.iter().position(|p| p.image.given == Some(Given::Cover)) {
        return Some(shot(left.remove(at)));
    }
    if let Some(photo) = request.photo {
        return Some(Shot { photo, words: "" });
    }
    let leads = |p: &&Pictured| p.image.section.is_none() && p.photo.crop == Crop::Cover && p.image.given.is_none();
    left.iter().position(leads).map(|i| shot(left.remove(i)))
}

fn shot(picture: &Pictured) -> Shot<'_> {
    Shot { photo: &picture.photo, words: picture.image.words() }
}

/// Returns whether a page is of a kind with room for a picture.
fn shows(page: &PageOutline) -> bool {
    let kind = matches!(page.kind, PageKind::Point | PageKind::Step);
    kind && page.title.is_some() && matches!(page.evidence(), Support::Sentences | Support::Statement)
}

/// Returns whether page `i` has no picture and wouldn't be the third in a row with one.
fn has_room(out: &[Option<Shot<'_>>], i: usize) -> bool {
    let has = |at: Option<usize>| at.and_then(|at| out.get(at)).is_some_and(Option::is_some);
    let (before, after) = (has(i.checked_sub(1)), has(Some(i + 1)));
    let third = before && (after || has(i.checked_sub(2))) || after && has(Some(i + 2));
    !has(Some(i)) && !third
}

/// Returns 1 if the page shows words of the picture's section, else 0.
fn in_section(page: &PageOutline, picture: &Pictured) -> usize {
    let Some(section) = picture.image.section else { return 0 };
    let mut spans = page.title.iter().chain(&page.body).filter_map(|copy| copy.span);
    usize::from(spans.any(|span| span.start >= section.start && span.start < section.end))
}

/// Returns the number of words that the page shares with the picture's description; 0 if there are too few.
fn in_words(page: &PageOutline, picture: &Pictured) -> usize {
    let said = page.title.iter().chain(&page.body).filter_map(|copy| copy.wordings.first());
    let said: Vec<String> = said.flat_map(|words| stems(words)).collect();
    let mut shown = stems(&format!("{} {}", picture.image.alt, picture.image.caption));
    shown.sort_unstable();
    shown.dedup();
    let shared = shown.iter().filter(|stem| said.contains(stem)).count();
    if shared >= SHARED { shared } else { 0 }
}

fn stems(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() >= WORD);
    words.map(|word| word.to_lowercase().chars().take(STEM).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::{SourceImage, Span, read_text};
    use crate::design::Style;
    use crate::outline::Copy;
    use crate::scene::Image;

    fn page(kind: PageKind, title: &str, at: u32) -> PageOutline {
        let title = Some(Copy { wordings: vec![title.to_owned()], span: Some(Span { start: at, end: at + 9 }) });
        PageOutline { title, ..PageOutline::blank(kind, 0.5) }
    }

    fn picture(name: &str, words: &str, section: Option<(u32, u32)>, crop: Crop) -> Pictured {
        let section = section.map(|(start, end)| Span { start, end });
        let (url, alt) = (format!("https://a.example/{name}"), words.to_owned());
        let image = SourceImage { url, alt, caption: String::new(), at: 0, section, given: None };
        let pixels = Image::new(3, 2, vec![90; 24]).unwrap();
        Pictured { image, photo: Photo { crop, ..Photo::of(name.to_owned(), pixels) } }
    }

    fn shown(pages: &[PageOutline], pictures: &[Pictured], photo: Option<&Photo>) -> Vec<Option<String>> {
        let document = read_text("# Boats\n\nThey wait behind the wall.").unwrap();
        let request = PlanRequest { photo, pictures, ..PlanRequest::of(&document, Vec::new(), Style::MODERN, 1) };
        set(pages, &request).iter().map(|shot| shot.map(|shot| shot.photo.key.clone())).collect()
    }

    fn named(names: &[&str]) -> Vec<Option<String>> {
        names.iter().map(|name| (!name.is_empty()).then(|| (*name).to_owned())).collect()
    }

    #[test]
    fn each_picture_stands_where_the_text_shows_it() {
        let pages = [
            page(PageKind::Cover, "The quay", 0),
            page(PageKind::Point, "The keeper climbs", 100),
            page(PageKind::List, "The boats", 200),
            page(PageKind::Point, "Lanterns along the harbour wall", 300),
        ];
        let pictures = [
            picture("lead", "", None, Crop::Cover),
            picture("keeper", "", Some((90, 190)), Crop::Cover),
            picture("list", "", Some((190, 290)), Crop::Cover),
            picture("wall", "A lantern on the harbour wall", None, Crop::Whole),
        ];
        assert_eq!(shown(&pages, &pictures, None), named(&["lead", "keeper", "", "wall"]));
        let photo = picture("own", "", None, Crop::Cover).photo;
        assert_eq!(shown(&pages, &pictures[..1], Some(&photo)), named(&["own", "", "", ""]));
        assert_eq!(shown(&pages, &[picture("shot", "", None, Crop::Whole)], None), named(&["", "", "", ""]));
    }

    #[test]
    fn pictures_that_are_given_are_shown_wherever_there_is_room() {
        let pages = [
            page(PageKind::Cover, "The quay", 0),
            page(PageKind::Point, "The keeper climbs", 100),
            page(PageKind::Point, "Lanterns along the harbour wall", 300),
        ];
        let given = |name: &str, words: &str, crop: Crop| {
            let picture = picture(name, "", None, crop);
            Pictured { image: SourceImage::given(name.to_owned(), words.to_owned(), Given::Any), ..picture }
        };
        let pictures = [
            given("diagram", "", Crop::Whole),
            given("quay", "", Crop::Cover),
            given("wall", "A lantern on the harbour wall", Crop::Cover),
            given("more", "", Crop::Cover),
        ];
        assert_eq!(shown(&pages, &pictures[1..3], None), named(&["quay", "", "wall"]));
        assert_eq!(shown(&pages, &pictures[..2], None), named(&["quay", "diagram", ""]));
        // None is repeated, and never three pages in a row have one.
        assert_eq!(shown(&pages, &pictures, None), named(&["quay", "", "wall"]));
        // A picture supplied for the cover takes precedence over the source's first one.
        let mut own = given("own", "", Crop::Cover);
        own.image.given = Some(Given::Cover);
        let lead = picture("lead", "", None, Crop::Cover).photo;
        assert_eq!(shown(&pages, &[own], Some(&lead)), named(&["own", "", ""]));
    }

    #[test]
    fn no_three_pages_in_a_row_show_pictures() {
        let pages: Vec<PageOutline> = (0..6).map(|n| page(PageKind::Point, "A claim", 100 * n)).collect();
        let of = |n: u32| picture(&n.to_string(), "", Some((100 * n, 100 * n + 99)), Crop::Cover);
        let pictures: Vec<Pictured> = (0..6).map(of).collect();
        assert_eq!(shown(&pages, &pictures, None), named(&["0", "1", "", "3", "4", ""]));
    }
}
