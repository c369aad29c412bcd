//! Examples that can't be assembled from the examples of single fields. Together they form one scenario, so that each
//! response matches its request: a creation of three images, an edit of the first one, a brand kit, a webhook. Tests
//! check each example against its schema and against its request.

use render_core::format::{Format, Resolution};
use serde_json::{Value, json};

use crate::credits;
use crate::urls::file_name;

/// The id of the generation in all examples.
pub const GENERATION: &str = "0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e90";
/// The id of its first output.
pub const OUTPUT: &str = "0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e91";
/// The id of a generation derived from it.
const DERIVED: &str = "0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e98";
/// The id of the upload in all examples.
const UPLOAD: &str = "0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e92";
/// The id of the delivery in all examples.
pub const DELIVERY: &str = "0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e93";
/// The id of the brand kit in all examples.
pub const BRAND: &str = "0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e94";
/// The id of the subscription in all examples.
pub const WEBHOOK: &str = "0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e95";
/// The ids of the second and third output.
const SLIDES: [&str; 2] = ["0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e96", "0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e97"];

const CREATED: &str = "2026-01-31T12:00:00.000Z";
const COMPLETED: &str = "2026-01-31T12:00:01.870Z";
const PROMPT: &str = "Make the headline a bit bigger";
const INSTRUCTION: &str = "On version 1: set the headline size to 150 (was 120)";

/// The body of a creation request.
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

/// The price of that creation.
fn cost() -> u64 {
    credits::VISUAL + 2 * credits::SLIDE
}

/// The generation just after it was accepted.
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

/// The completed generation.
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

/// The generation as it appears in a list.
pub fn listed() -> Value {
    let mut generation = completed();
    if let Some(fields) = generation.as_object_mut() {
        fields.remove("outputs");
    }
    generation
}

/// The response to the creation request.
pub fn accepted() -> Value {
    json!({ "generation": pending() })
}

/// The generation after it was cancelled before anything was rendered.
pub fn cancelled() -> Value {
    let mut generation = pending();
    generation["status"] = json!("cancelled");
    generation["stage"] = json!("finished");
    generation["creditsRefunded"] = generation["creditsCharged"].clone();
    generation["completedAt"] = json!(COMPLETED);
    json!({ "generation": generation })
}

/// The generation after a retry. All of its images had failed.
pub fn retried() -> Value {
    let mut generation = pending();
    generation["title"] = json!("Sleep better");
    generation["language"] = json!("en");
    generation["creditsCharged"] = json!(2 * cost());
    generation["creditsRefunded"] = json!(cost());
    generation["startedAt"] = json!("2026-01-31T12:00:00.120Z");
    json!({ "generation": generation })
}

/// The response to a request for variations of all of its images.
pub fn varied() -> Value {
    let count = 3;
    let mut generation = derived();
    let formats = generation["outputFormats"].as_array().cloned().unwrap_or_default();
    generation["outputFormats"] = json!(vec![formats; count].concat());
    generation["seed"] = json!(42);
    derived_answer(generation, count as u64)
}

/// The response to a request for the generation in Spanish.
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

/// A derived generation just after it was accepted.
fn derived() -> Value {
    let mut generation = pending();
    generation["id"] = json!(DERIVED);
    generation["parentId"] = json!(GENERATION);
    generation["title"] = json!("Sleep better");
    generation
}

/// The body of a request to render pages.
pub fn pages_request() -> Value {
    json!({
        "pages": "<page>\n  <headline>Sleep better</headline>\n  <text>Go to bed at the same time, at weekends too.</text>\n</page>",
        "format": "instagram_post",
        "visualStyle": "modern",
        "seed": 42,
    })
}

/// The generation that results from that request.
pub fn rendered_pages() -> Value {
    let mut generation = of_pages(completed());
    generation["outputs"] = json!([generation["outputs"][0]]);
    generation["outputCount"] = json!(1);
    json!({"generation": generation})
}

/// The same generation while it is still being rendered.
pub fn pages_under_way() -> Value {
    json!({"generation": of_pages(pending())})
}

/// Changes a generation so that it matches [`pages_request`].
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

/// The body of the delivery for the completed generation.
pub fn payload() -> Value {
    json!({"id": DELIVERY, "type": "generation.completed", "createdAt": COMPLETED, "generation": completed()})
}

/// The outputs of the generation.
fn outputs() -> Vec<Value> {
    let alt_texts =
        ["Sleep better: keep one bedtime, also on Sundays.", "No screens in the last hour; cool the room to 18 °C."];
    let slides = SLIDES.into_iter().zip(alt_texts).zip(0..);
    let slides = slides.map(|((id, alt_text), slide)| image(id, "linkedin_carousel", Some(slide), alt_text));
    std::iter::once(output()).chain(slides).collect()
}

/// An output.
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

/// Builds the signed URL of the image of an output's version. It ends with the file name.
fn image_url(output: &str, version: u32, place: u32, format: &str) -> String {
    let name = file_name(place, 1 + SLIDES.len() as u32, format, "png");
    url(output, version, &format!("png/{name}"))
}

/// Builds the signed URL of a file of an output's version.
fn url(output: &str, version: u32, extension: &str) -> String {
    let key = format!("outputs/{GENERATION}/{output}/{version}.{extension}");
    format!("https://vivid.example/files/{key}?expires=1770465601&signature=5f1c8e")
}

/// The output at another version.
fn output_as(version: u32) -> Value {
    let mut output = output();
    output["version"] = json!(version);
    for field in ["imageUrl", "fileUrl"] {
        output[field] = json!(image_url(OUTPUT, version, 0, "instagram_post"));
    }
    output["thumbnailUrl"] = json!(url(OUTPUT, version, "webp"));
    output
}

/// An estimate of the creation.
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

/// The outline in that estimate.
fn outline() -> Value {
    let formats = creation_request()["outputFormats"].as_array().cloned().unwrap_or_default();
    let page = json!({"kind": "list", "title": "Sleep better", "items": [{"title": "Keep the room cool"}]});
    formats.into_iter().map(|id| json!({"formatId": id, "pages": [page]})).collect()
}

/// The body of an edit request.
pub fn edit_request() -> Value {
    json!({"outputId": OUTPUT, "prompt": PROMPT})
}

/// The body that confirms the edit.
pub fn edit_confirmation() -> Value {
    json!({"outputId": OUTPUT, "prompt": PROMPT, "confirmedInstruction": INSTRUCTION})
}

/// The proposal in response to the edit request.
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

/// A response that asks for another prompt.
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

/// The response to the confirmed edit.
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

/// The response while the confirmed edit is still being rendered.
pub fn editing() -> Value {
    let mut generation = completed();
    generation["outputs"][0]["edit"] =
        json!({"status": "running", "version": 2, "startedAt": "2026-01-31T12:05:00.000Z", "error": null});
    json!({ "generation": generation })
}

/// The body of a request that swaps the last two slides of a carousel.
pub fn slides_request() -> Value {
    let mut slides: Vec<Value> = SLIDES.iter().map(|id| json!({ "outputId": id })).collect();
    slides.reverse();
    json!({ "slides": slides })
}

/// The response to that request.
pub fn arranged() -> Value {
    json!({ "creditsCharged": 0, "generation": completed() })
}

/// The versions of the output after the edit.
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

/// The output after its first version was restored.
pub fn restored() -> Value {
    json!({ "output": output_as(3) })
}

/// An upload.
pub fn upload() -> Value {
    json!({
        "id": UPLOAD,
        "bytes": 183_042,
        "mimeType": "application/pdf",
        "expiresAt": "2026-02-01T12:00:00.000Z",
    })
}

/// A font family.
pub fn font() -> Value {
    json!({"family": "Instrument Serif", "weights": [400], "source": "built-in", "expiresAt": null})
}

/// The body of a request that creates a brand kit.
pub fn brand_request() -> Value {
    json!({
        "name": "Acme",
        "colors": {"primary": "#0a5f38", "accent": "#ff7a00"},
        "fonts": {"heading": "Instrument Serif", "body": "Inter Tight"},
        "tone": "warm, plain",
        "handle": "@acme",
    })
}

/// A brand kit.
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

/// The brand kit after its logo was set.
pub fn brand_with_logo() -> Value {
    let mut brand = brand();
    brand["logoUrl"] = json!("https://vivid.example/files/logos/5f1c8e.png?expires=1770465601&signature=5f1c8e");
    brand["updatedAt"] = json!("2026-01-31T12:01:00.000Z");
    json!({"brand": brand, "warnings": []})
}

/// The body of a request that creates a subscription.
pub fn webhook_request() -> Value {
    json!({"url": "https://hooks.acme.example/vivid", "events": ["generation.completed", "generation.failed"]})
}

/// A subscription.
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

/// The response that contains the subscription's secret.
pub fn webhook_created() -> Value {
    let mut webhook = webhook();
    webhook["secret"] = json!("whsec_6l0FZ0Wf3mYt2m9b1q8Jx4c7v5N3kQhRzXyTgUsPdEa");
    json!({"webhook": webhook, "warnings": []})
}

/// A delivery to the subscription.
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

/// A test delivery that was just requested.
pub fn tested() -> Value {
    let mut delivery = delivery();
    delivery["type"] = json!("webhook.test");
    delivery["generationId"] = json!(null);
    json!({"delivery": waiting(delivery)})
}

/// The delivery after it was sent again.
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

/// The response to a change of the subscription.
pub fn webhook_changed() -> Value {
    json!({"webhook": webhook(), "warnings": []})
}

/// The response that contains the subscription's new secret.
pub fn webhook_rotated() -> Value {
    let mut answer = webhook_created();
    answer["webhook"]["previousSecretExpiresAt"] = json!("2026-02-01T12:00:00.000Z");
    answer
}

/// The account's balance after the creation.
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

/// The ledger entry for the creation's first output.
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
