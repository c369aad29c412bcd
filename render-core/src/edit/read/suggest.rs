//! Prompts that suit a page.

use crate::design::{Part, SlotId};

use super::super::{Hue, Target};
use super::colour::is_dark;

/// Prompts that this page understands, about what it has; the most useful first.
pub(super) fn of(target: &Target<'_>) -> Vec<String> {
    let page = target.page;
    let mut out: Vec<String> = Vec::new();
    let items = page.item_count();
    if target.has(Part::Figure) {
        out.push("make the number bigger".into());
    } else if page.items.iter().any(|i| !i.numbers.is_empty()) && items > 1 {
        out.push("highlight the second bar".into());
    } else if items > 2 {
        out.push("remove the last point".into());
    } else if target.text(SlotId::Cta).is_some() {
        out.push("change the button to “Sign up”".into());
    } else if target.has(Part::Headline) {
        out.push("make the headline bigger".into());
    }
    let ground =
        if is_dark(target.colour(Hue::Background)) { "make the background cream" } else { "make the background navy" };
    out.push(ground.into());
    out.push(if page.slide.is_some() { "use other colours on all slides".into() } else { "use other colours".into() });
    out.push("use another layout".into());
    out.push("use another style".into());
    out
}
