//! Examples that are more than their fields' examples side by side. They tell one story, so that each answer is what its
//! request would get: a creation of three images, an edit of the first one, a brand kit, a webhook. Tests hold each against
//! its schema and against its request.

pub use super::page_examples::{designs, drawings, page_preview, page_text, page_text_request, placed_headline};
use render_core::format::{Format, Resolution};
use serde_json::{Value, json};

use super::super::formats;
use crate::credits;
use crate::urls::file_name;

/// The generation of all examples.
pub const GENERATION: &str = "0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e90";
/// Its first output.
pub const OUTPUT: &str = "0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e91";
/// A generation that is made from it.
const DERIVED: &str = "0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e98";
/// The upload of all examples.
const UPLOAD: &str = "0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e92";
/// The delivery of all examples.
pub const DELIVERY: &str = "0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e93";
/// The brand kit of all examples.
pub const BRAND: &str = "0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e94";
/// The subscription of all examples.
pub const WEBHOOK: &str = "0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e95";
/// The second and third output.
const SLIDES: [&str; 2] = ["0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e96", "0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e97"];

const CREATED: &str = "2026-01-31T12:00:00.000Z";
const COMPLETED: &str = "2026-01-31T12:00:01.870Z";
const PROMPT: &str = "Make the headline a bit bigger";
const INSTRUCTION: &str = "On version 1: set the headline size to 150 (was 120)";

/// What a creation sends.
pub fn creation_request() -> Value {
    json!({
        "inputType": "text",
        "inputContent": "# Sleep better\n\n- Keep one bedtime, also on Sundays\n- No screens in the last hour\n- Cool the room to 18 °C",
        "outputFormats": ["instagram_post", "linkedin_carousel"],
        "carouselCounts": {"linkedin_carousel": 2},
        "visualStyle": "dark",
        "seed": 42,
    })
}

/// What that costs.
fn cost() -> u64 {
    credits::VISUAL + 2 * credits::SLIDE
}

/// A generation that has just been accepted.
pub fn pending() -> Value {
    let request = creation_request();
    json!({
        "id": GENERATION,
        "parentId": null,
        "status": "pending",
        "progress": 0,
        "stage": "queued",
        "title": null,
        "inputType": request["inputType"],
        "inputUrl": null,
        "outputFormats": request["outputFormats"],
        "carouselCounts": request["carouselCounts"],
        "brandId": null,
        "visualStyle": request["visualStyle"],
        "language": null,
        "resolution": "2K",
        "exactSize": false,
        "imageFormat": "png",
        "seed": request["seed"],
        "useExactContent": false,
        "audience": null,
        "goal": null,
        "tone": null,
        "languageModel": null,
        "creditsCharged": cost(),
        "creditsRefunded": 0,
        "outputCount": 0,
        "thumbnailUrl": null,
        "outputs": [],
        "removedOutputs": [],
        "warnings": [],
        "error": null,
        "errorMessage": null,
        "createdAt": CREATED,
        "startedAt": null,
        "completedAt": null,
        "imagesDeletedAt": null,
    })
}

/// The same, once it is completed.
pub fn completed() -> Value {
    let mut generation = pending();
    let outputs = outputs();
    generation["status"] = json!("completed");
    generation["progress"] = json!(100);
    generation["stage"] = json!("finished");
    generation["title"] = json!("Sleep better");
    generation["language"] = json!("en");
    generation["outputCount"] = json!(outputs.len());
    generation["thumbnailUrl"] = outputs[0]["thumbnailUrl"].clone();
    generation["outputs"] = json!(outputs);
    generation["startedAt"] = json!("2026-01-31T12:00:00.120Z");
    generation["completedAt"] = json!(COMPLETED);
    generation
}

/// The same in a list.
pub fn listed() -> Value {
    let mut generation = completed();
    if let Some(fields) = generation.as_object_mut() {
        fields.remove("outputs");
    }
    generation
}

/// An answer that is a generation, just accepted.
pub fn accepted() -> Value {
    json!({ "generation": pending() })
}

/// An answer that is a generation which was stopped before anything was made.
pub fn cancelled() -> Value {
    let mut generation = pending();
    generation["status"] = json!("cancelled");
    generation["stage"] = json!("finished");
    generation["creditsRefunded"] = generation["creditsCharged"].clone();
    generation["completedAt"] = json!(COMPLETED);
    json!({ "generation": generation })
}

/// An answer that is a generation of which no image could be made, accepted once more.
pub fn retried() -> Value {
    let mut generation = pending();
    generation["title"] = json!("Sleep better");
    generation["language"] = json!("en");
    generation["creditsCharged"] = json!(2 * cost());
    generation["creditsRefunded"] = json!(cost());
    generation["startedAt"] = json!("2026-01-31T12:00:00.120Z");
    json!({ "generation": generation })
}

/// The answer to a request for variations of all its images.
pub fn varied() -> Value {
    let count = 3;
    let mut generation = derived();
    let formats = generation["outputFormats"].as_array().cloned().unwrap_or_default();
    generation["outputFormats"] = json!(vec![formats; count].concat());
    generation["seed"] = json!(42);
    derived_answer(generation, count as u64)
}

/// The answer to a request for it in Spanish.
pub fn localized() -> Value {
    let mut generation = derived();
    generation["language"] = json!("es");
    derived_answer(generation, 1)
}

fn derived_answer(mut generation: Value, times: u64) -> Value {
    generation["creditsCharged"] = json!(times * cost());
    json!({
        "generation": generation,
        "generationId": DERIVED,
        "expectedCount": times * (1 + SLIDES.len() as u64),
        "creditCost": times * cost(),
    })
}

/// A generation that was made from it, just accepted.
fn derived() -> Value {
    let mut generation = pending();
    generation["id"] = json!(DERIVED);
    generation["parentId"] = json!(GENERATION);
    generation["title"] = json!("Sleep better");
    generation
}

/// Pages in the page language.
pub fn pages_request() -> Value {
    json!({
        "pages": "<page>\n  <headline>Sleep better</headline>\n  <text>Go to bed at the same time, at weekends too.</text>\n</page>",
        "format": "instagram_post",
        "visualStyle": "modern",
        "seed": 42,
    })
}

/// The generation that comes of them.
pub fn rendered_pages() -> Value {
    let mut generation = of_pages(completed());
    generation["outputs"] = json!([generation["outputs"][0]]);
    generation["outputCount"] = json!(1);
    json!({"generation": generation})
}

/// The same while it is still rendered.
pub fn pages_under_way() -> Value {
    json!({"generation": of_pages(pending())})
}

/// A generation as if it were made of [`pages_request`].
fn of_pages(mut generation: Value) -> Value {
    let request = pages_request();
    generation["inputType"] = json!("pages");
    generation["outputFormats"] = json!([request["format"]]);
    generation["carouselCounts"] = json!({});
    generation["visualStyle"] = request["visualStyle"].clone();
    generation["creditsCharged"] = json!(crate::credits::VISUAL);
    generation["useExactContent"] = json!(true);
    generation
}

/// What a receiver is sent once it is completed.
pub fn payload() -> Value {
    json!({"id": DELIVERY, "type": "generation.completed", "createdAt": COMPLETED, "generation": completed()})
}

/// Its images.
fn outputs() -> Vec<Value> {
    let alt_texts =
        ["Sleep better: keep one bedtime, also on Sundays.", "No screens in the last hour; cool the room to 18 °C."];
    let slides = SLIDES.into_iter().zip(alt_texts).zip(0..);
    let slides = slides.map(|((id, alt_text), slide)| image(id, "linkedin_carousel", Some(slide), alt_text));
    std::iter::once(output()).chain(slides).collect()
}

/// An image.
pub fn output() -> Value {
    let alt_text = "Sleep better: keep one bedtime, no screens in the last hour, cool the room to 18 °C.";
    image(OUTPUT, "instagram_post", None, alt_text)
}

fn image(id: &str, format: &str, slide: Option<u32>, alt_text: &str) -> Value {
    let (width, height) = Format::by_id(format).map(|f| f.size(Resolution::TwoK)).unwrap_or_default();
    let place = slide.map_or(0, |slide| slide + 1);
    let url = image_url(id, 1, place, format);
    json!({
        "id": id,
        "outputId": id,
        "formatId": format,
        "kind": if slide.is_some() { "slide" } else { "visual" },
        "slideIndex": slide,
        "sortOrder": place,
        "imageUrl": url,
        "fileUrl": url,
        "thumbnailUrl": self::url(id, 1, "webp"),
        "width": width,
        "height": height,
        "mimeType": "image/png",
        "bytes": 183_042,
        "version": 1,
        "edit": null,
        "altText": alt_text,
        "quality": {"passed": true, "checks": [
            {"name": "contrast", "value": 7.4, "gate": 4.5, "passed": true, "hard": true},
        ]},
    })
}

/// The signed URL of the image of an output's version, which ends in a file name.
fn image_url(output: &str, version: u32, place: u32, format: &str) -> String {
    let name = file_name(place, 1 + SLIDES.len() as u32, format, "png");
    url(output, version, &format!("png/{name}"))
}

/// The signed URL of a file of an output's version.
fn url(output: &str, version: u32, extension: &str) -> String {
    let key = format!("outputs/{GENERATION}/{output}/{version}.{extension}");
    format!("https://vivid.example/files/{key}?expires=1770465601&signature=5f1c8e")
}

/// The output as another version.
fn output_as(version: u32) -> Value {
    let mut output = output();
    output["version"] = json!(version);
    for field in ["imageUrl", "fileUrl"] {
        output[field] = json!(image_url(OUTPUT, version, 0, "instagram_post"));
    }
    output["thumbnailUrl"] = json!(url(OUTPUT, version, "webp"));
    output
}

/// What would be made of the creation.
pub fn estimate() -> Value {
    let pages = outputs().into_iter().map(|output| {
        let cost = credits::cost(output["kind"] == "slide");
        json!({
            "formatId": output["formatId"],
            "slideIndex": output["slideIndex"],
            "width": output["width"],
            "height": output["height"],
            "credits": cost,
            "page": {"archetype": "list-numbered", "texts": [{"slot": "title", "text": "Sleep better"}], "altText": output["altText"]},
        })
    });
    json!({"estimate": {
        "credits": cost(),
        "available": 9_915,
        "affordable": true,
        "title": "Sleep better",
        "language": "en",
        "visualStyle": creation_request()["visualStyle"],
        "outputs": pages.collect::<Vec<_>>(),
        "outline": outline(),
        "warnings": [],
    }})
}

/// What the pages of the creation would say.
fn outline() -> Value {
    let formats = creation_request()["outputFormats"].as_array().cloned().unwrap_or_default();
    let page = json!({"kind": "list", "title": "Sleep better", "items": [{"title": "Keep the room cool"}]});
    formats.into_iter().map(|id| json!({"formatId": id, "pages": [page]})).collect()
}

/// What asks for an edit.
pub fn edit_request() -> Value {
    json!({"outputId": OUTPUT, "prompt": PROMPT})
}

/// What confirms it.
pub fn edit_confirmation() -> Value {
    json!({"outputId": OUTPUT, "prompt": PROMPT, "confirmedInstruction": INSTRUCTION})
}

/// What an edit would do.
pub fn proposal() -> Value {
    json!({
        "needsConfirmation": true,
        "outputId": OUTPUT,
        "refinedInstruction": INSTRUCTION,
        "preview": INSTRUCTION,
        "changes": [{"what": "headline size", "from": "120", "to": "150"}],
        "notes": [],
        "creditCost": credits::EDIT,
        "changedImages": 1,
        "previewImageUrl": "https://vivid.example/files/previews/0198c0de.png?expires=1770465601&signature=5f1c8e",
        "alternatives": [],
    })
}

/// A question back.
pub fn clarification() -> Value {
    json!({
        "needsClarification": true,
        "reason": "not_understood",
        "clarificationMessage": "I could not tell what is to change.",
        "suggestions": ["make the background navy"],
        "alternatives": [{
            "prompt": "make the background navy",
            "refinedInstruction": "On version 1: set the background colour to #1f2a44 (was #fbf7ef)",
            "changes": [{"what": "ground", "from": "own (#fbf7ef)", "to": "#1f2a44"}],
            "creditCost": credits::EDIT,
            "changedImages": 1,
            "previewImageUrl": proposal()["previewImageUrl"],
        }],
    })
}

/// What the confirmed edit made.
pub fn edited() -> Value {
    let output = output_as(2);
    json!({
        "outputId": OUTPUT,
        "imageUrl": output["imageUrl"],
        "version": 2,
        "creditsCharged": credits::EDIT,
        "output": output,
        "outputs": [output],
    })
}

/// An answer that is the generation while the confirmed edit is drawn.
pub fn editing() -> Value {
    let mut generation = completed();
    generation["outputs"][0]["edit"] =
        json!({"status": "running", "version": 2, "startedAt": "2026-01-31T12:05:00.000Z", "error": null});
    json!({ "generation": generation })
}

/// A carousel whose last two slides change places.
pub fn slides_request() -> Value {
    let mut slides: Vec<Value> = SLIDES.iter().map(|id| json!({ "outputId": id })).collect();
    slides.reverse();
    json!({ "slides": slides })
}

/// The generation after that.
pub fn arranged() -> Value {
    json!({ "creditsCharged": 0, "generation": completed() })
}

/// The versions of the output after that.
pub fn versions() -> Value {
    let version = |number: u32, prompt: Option<&str>, instruction: Option<&str>| {
        json!({
            "version": number,
            "imageUrl": image_url(OUTPUT, number, 0, "instagram_post"),
            "thumbnailUrl": url(OUTPUT, number, "webp"),
            "altText": output()["altText"],
            "createdAt": if number == 1 { COMPLETED } else { "2026-01-31T12:05:00.000Z" },
            "prompt": prompt,
            "instruction": instruction,
            "restoredFrom": null,
            "current": number == 2,
        })
    };
    json!({
        "versions": [version(2, Some(PROMPT), Some(INSTRUCTION)), version(1, None, None)],
        "pagination": {"limit": 20, "hasMore": false, "nextCursor": null},
        "warnings": [],
    })
}

/// The output after its first version came back.
pub fn restored() -> Value {
    json!({ "output": output_as(3) })
}

/// A format of the catalogue.
pub fn format() -> Value {
    serde_json::to_value(formats::of("linkedin_carousel")).unwrap_or_default()
}

/// A file that was uploaded.
pub fn upload() -> Value {
    json!({
        "id": UPLOAD,
        "bytes": 183_042,
        "mimeType": "application/pdf",
        "expiresAt": "2026-02-01T12:00:00.000Z",
    })
}

/// A family of fonts.
pub fn font() -> Value {
    json!({"family": "Instrument Serif", "weights": [400], "source": "built-in", "expiresAt": null})
}

/// What makes a brand kit.
pub fn brand_request() -> Value {
    json!({
        "name": "Acme",
        "colors": {"primary": "#0a5f38", "accent": "#ff7a00"},
        "fonts": {"heading": "Instrument Serif", "body": "Inter Tight"},
        "tone": "warm, plain",
        "handle": "@acme",
    })
}

/// The brand kit.
pub fn brand() -> Value {
    let request = brand_request();
    json!({
        "id": BRAND,
        "name": request["name"],
        "isDefault": false,
        "colors": {
            "primary": request["colors"]["primary"],
            "secondary": null,
            "accent": request["colors"]["accent"],
            "background": null,
            "text": null,
        },
        "fonts": request["fonts"],
        "logoUrl": null,
        "logoDarkUrl": null,
        "tone": request["tone"],
        "handle": request["handle"],
        "url": null,
        "visualStyle": null,
        "footer": null,
        "createdAt": CREATED,
        "updatedAt": CREATED,
    })
}

/// The brand kit, once its logo is set.
pub fn brand_with_logo() -> Value {
    let mut brand = brand();
    brand["logoUrl"] = json!("https://vivid.example/files/logos/5f1c8e.png?expires=1770465601&signature=5f1c8e");
    brand["updatedAt"] = json!("2026-01-31T12:01:00.000Z");
    json!({"brand": brand, "warnings": []})
}

/// What subscribes.
pub fn webhook_request() -> Value {
    json!({"url": "https://hooks.acme.example/vivid", "events": ["generation.completed", "generation.failed"]})
}

/// The subscription.
pub fn webhook() -> Value {
    let request = webhook_request();
    json!({
        "id": WEBHOOK,
        "url": request["url"],
        "events": request["events"],
        "active": true,
        "createdAt": CREATED,
        "disabledAt": null,
        "previousSecretExpiresAt": null,
    })
}

/// The answer that shows its secret.
pub fn webhook_created() -> Value {
    let mut webhook = webhook();
    webhook["secret"] = json!("whsec_6l0FZ0Wf3mYt2m9b1q8Jx4c7v5N3kQhRzXyTgUsPdEa");
    json!({"webhook": webhook, "warnings": []})
}

/// A delivery to it.
pub fn delivery() -> Value {
    json!({
        "id": DELIVERY,
        "type": "generation.completed",
        "generationId": GENERATION,
        "status": "delivered",
        "createdAt": COMPLETED,
        "nextAttemptAt": null,
        "attempts": [{"at": "2026-01-31T12:00:01.900Z", "status": 204, "error": null, "durationMs": 87}],
    })
}

/// A test that was just asked for.
pub fn tested() -> Value {
    let mut delivery = delivery();
    delivery["type"] = json!("webhook.test");
    delivery["generationId"] = json!(null);
    json!({"delivery": waiting(delivery)})
}

/// The delivery, sent again.
pub fn redelivered() -> Value {
    json!({"delivery": waiting(delivery())})
}

fn waiting(mut delivery: Value) -> Value {
    let is_test = delivery["generationId"].is_null();
    delivery["status"] = json!("pending");
    delivery["nextAttemptAt"] = json!("2026-01-31T12:10:00.000Z");
    if is_test {
        delivery["createdAt"] = json!("2026-01-31T12:10:00.000Z");
        delivery["attempts"] = json!([]);
    }
    delivery
}

/// The answer to a change of the subscription.
pub fn webhook_changed() -> Value {
    json!({"webhook": webhook(), "warnings": []})
}

/// The answer that shows the new secret of the subscription.
pub fn webhook_rotated() -> Value {
    let mut answer = webhook_created();
    answer["webhook"]["previousSecretExpiresAt"] = json!("2026-02-01T12:00:00.000Z");
    answer
}

/// What an account has after the creation.
pub fn balance() -> Value {
    json!({
        "balance": 9_915,
        "reserved": 0,
        "monthlyBalance": 4_915,
        "topupBalance": 5_000,
        "packBalance": 0,
        "nextPackExpiry": null,
        "plan": "pro",
        "costs": {"visual": credits::VISUAL, "slide": credits::SLIDE, "edit": credits::EDIT},
        "storage": {"usedBytes": 18_350_080, "quotaBytes": 26_843_545_600_u64},
        "languageModel": {"tokensToday": 12_400, "dailyTokens": null},
    })
}

/// What an entry of the ledger says of the creation's first output.
pub fn ledger_entry() -> Value {
    json!({
        "number": 12,
        "type": "hold",
        "amount": credits::VISUAL,
        "balance": 9_945,
        "reserved": credits::VISUAL,
        "sources": [{"type": "monthly", "amount": credits::VISUAL}],
        "generationId": GENERATION,
        "outputId": OUTPUT,
        "version": 1,
        "round": 0,
        "note": null,
        "createdAt": CREATED,
    })
}
