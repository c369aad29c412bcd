//! The review: a model that accepts images sees pictures of the pages that it composed, and sends again those that an
//! art director would reject.

use bytes::Bytes;
use fleet::llm::{Call, Role, Turn};
use render_core::author;
use render_core::compose::compose;
use render_core::design::Page;
use render_core::encode::{ImageFormat, encode};
use render_core::outline::Outline;
use render_core::plan::plan;
use render_core::raster::cpu::CpuRasteriser;
use render_core::raster::{Pixmap, Rasteriser as _};
use render_core::scene::Canvas;

use super::prompt;
use super::statement;
use super::task::{Judged, Task, judge, request};
use super::writer::Copywriter;

/// Width of a page on the contact sheet, and the gap between pages, in pixels.
const WIDTH: u32 = 490;
const GAP: u32 = 16;
/// Pages per row of the sheet.
const ACROSS: usize = 4;
/// Reviews per set of pages.
const LOOKS: usize = 2;
/// The grey of the sheet's background.
const TABLE: u8 = 150;

/// The answer of a model that changes nothing.
const SIGNED: &str = "SIGNED";

impl Copywriter {
    /// Returns the pages of a set after a review, and a second review of the changes. Changed pages replace the
    /// previous ones if they have no more faults. Without a usable answer, the pages stay as they are.
    pub(super) async fn reviewed(&self, task: &Task<'_>, judged: Judged, texts: &[String]) -> Outline {
        let (mut judged, mut texts) = (judged, texts.to_vec());
        for look in 0..LOOKS {
            let Some(merged) = self.look(task, &judged.outline, &texts, look > 0).await else { break };
            match judge(task, &merged.join("\n")) {
                Ok(again) if again.faults.len() <= judged.faults.len() => (judged, texts) = (again, merged),
                Ok(_) | Err(_) => break,
            }
        }
        judged.outline
    }

    /// Runs one review; returns the changed pages, or `None` if nothing changes.
    async fn look(&self, task: &Task<'_>, outline: &Outline, texts: &[String], again: bool) -> Option<Vec<String>> {
        let mut turns = prompt::system();
        let question = question(task, texts, again);
        turns.push(Turn { picture: Some(sheet(task, outline)?), ..Turn::new(Role::User, question) });
        let call = Call { turns: &turns, form: None, max_tokens: task.max_tokens, seed: task.order.seed };
        match self.ask(call, task.budget).await {
            Ok(said) => changed(texts, &said.text),
            Err(error) => {
                tracing::info!(%error, "review failed: no answer from the language model");
                None
            }
        }
    }
}

fn question(task: &Task<'_>, texts: &[String], again: bool) -> String {
    let order =
        task.set.formats.first().map(|format| prompt::assignment(task.order, &task.commission, *format, task.brief));
    let what = if again { "These are your pages after your changes" } else { "These are your pages" };
    format!(
        "The order was:\n{}\n{what}, as text and as they came out: numbered from left to right and from top to bottom.\n\n{}\n\n\
         {}Look at the picture as an art director who has to sign it, page by page. Words: would a stranger understand the \
         headline alone, does it sound spoken, has the page one message, is every line a whole thought? Picture: with the words \
         covered, does one still see the point? Does it show nothing against the words, is the main thing large, do shapes, arms and \
         tails meet where they should, is anything stubbed, cut, floating, crossed by a line or unexplained? Page: has the picture half of it, are there empty \
         bands beside crowded parts, text against an edge or stuck to its neighbour, uneven rows, lines that break badly, pages \
         that look alike? Set: does one idea lead from the cover to the last page, has the cover tension, does the last page pay \
         off? Answer with the pages alone that you would \
         not sign, changed, each whole and behind a line with its number, such as “PAGE 3”. Keep every word that is right. \
         Answer {SIGNED} where there is nothing to change.",
        order.unwrap_or_default(),
        texts.join("\n\n"),
        statement::source(task.order)
    )
}

/// Returns the texts with the answer's pages in place of theirs; `None` if the answer changes none.
fn changed(texts: &[String], said: &str) -> Option<Vec<String>> {
    let mut out = texts.to_vec();
    let mut rest = said.rsplit_once("</think>").map_or(said, |(_, said)| said);
    let mut found = false;
    while let Some((_, behind)) = rest.split_once("PAGE ") {
        let digits: String = behind.chars().take_while(char::is_ascii_digit).collect();
        let own = behind.split("PAGE ").next().unwrap_or_default();
        let place = digits.parse::<usize>().ok().and_then(|n| out.get_mut(n.checked_sub(1)?));
        if let (Some(place), [page]) = (place, author::pages(own).as_slice()) {
            (*page).clone_into(place);
            found = true;
        }
        rest = behind;
    }
    found.then_some(out)
}

/// Renders the pages in the set's first format on one sheet, as a JPEG; `None` if they can't be rendered.
fn sheet(task: &Task<'_>, outline: &Outline) -> Option<Bytes> {
    let format = *task.set.formats.first()?;
    let written = [(format, outline.clone())];
    let mut request = request(task.order, task.set, &written);
    request.formats.truncate(1);
    let pages = plan(&request, task.order.fonts).ok()?.pages;
    let drawn: Vec<Pixmap> = pages.iter().map(|page| drawn(page, task)).collect::<Option<_>>()?;
    let high = drawn.iter().map(|page| page.height).max()?;
    let across = drawn.len().min(ACROSS) as u32;
    let rows = drawn.len().div_ceil(ACROSS) as u32;
    let (width, height) = (across * (WIDTH + GAP) + GAP, rows * (high + GAP) + GAP);
    let mut sheet = Pixmap { width, height, data: vec![TABLE; (width * height * 3) as usize] };
    for (i, page) in drawn.iter().enumerate() {
        let (column, row) = ((i % ACROSS) as u32, (i / ACROSS) as u32);
        let (x, y) = (GAP + column * (WIDTH + GAP), GAP + row * (high + GAP));
        for line in 0..page.height {
            let length = (page.width * 3) as usize;
            let from = line as usize * length;
            let to = ((y + line) * width + x) as usize * 3;
            sheet.data[to..to + length].copy_from_slice(&page.data[from..from + length]);
        }
    }
    encode(&sheet, ImageFormat::Jpeg).ok().map(Bytes::from)
}

fn drawn(page: &Page, task: &Task<'_>) -> Option<Pixmap> {
    let scene = compose(page, task.order.fonts).scene;
    let scale = WIDTH as f32 / scene.size.w;
    let canvas = Canvas { width: WIDTH, height: (scene.size.h * scale).round().max(1.0) as u32, scale, dither: true };
    let mut pixels = Pixmap { width: 0, height: 0, data: Vec::new() };
    CpuRasteriser::new().draw(&scene, canvas, task.order.fonts, &mut pixels).ok()?;
    Some(pixels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_pages_take_their_places_by_number() {
        let texts: Vec<String> = ["<page>1</page>", "<page>2</page>", "<page>3</page>"].map(str::to_owned).to_vec();
        let said = "I would change two.\nPAGE 3\n<page>c</page>\n**PAGE 1**\n```xml\n<page>a</page>\n```";
        assert_eq!(changed(&texts, said).unwrap(), ["<page>a</page>", "<page>2</page>", "<page>c</page>"]);
        for nothing in ["SIGNED", "PAGE 9\n<page>x</page>", "PAGE 0\n<page>x</page>", "PAGE 2: fine", "<page>x</page>"]
        {
            assert_eq!(changed(&texts, nothing), None, "{nothing}");
        }
    }
}
