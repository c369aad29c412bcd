//! Tests of ideas and of everything else that uses a language model, with a fake server of the chat protocol.

#[path = "../../../fleet/src/llm/tests/server.rs"]
pub mod server;

use std::time::Duration;

use serde_json::{Value, json};

use super::{UNHURRIED, codes, fresh};
use crate::service::{Client, id};
use server::{Reply, Server};

const TIPS: &str = "5 tips for better sleep";
const GERMAN: &str = "# Der stille Morgen\n\nDie meisten Gruppen verlieren ihre Vormittage an Besprechungen. Eine kleine \
    Gruppe zog ihre Besprechungen auf den Donnerstag um und bekam 64 % ihrer besten Stunden zurück.";

fn request(input: &str, content: &str) -> Value {
    json!({
        "inputType": input, "inputContent": content, "outputFormats": ["instagram_post", "linkedin_carousel_portrait"],
        "carouselCounts": {"linkedin_carousel_portrait": 7},
    })
}

/// Returns the alternative texts of a generation's outputs, the visual's first.
fn said(generation: &Value) -> Vec<&str> {
    let outputs = generation["outputs"].as_array().unwrap();
    outputs.iter().map(|o| o["altText"].as_str().unwrap()).collect()
}

/// Starts a service that uses the model behind `server`.
pub fn with_model(server: &Server) -> (tempfile::TempDir, crate::service::Service, Client) {
    let model = ["--llm-base-url", server.base.as_str(), "--llm-model", "test", "--llm-api-key", "sk-secret"];
    fresh(&[UNHURRIED.as_slice(), model.as_slice()].concat())
}

#[tokio::test]
async fn an_idea_without_a_model_is_set_as_it_stands() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    for idea in [TIPS, "Summer sale: 30 % off until 31 August, code SUN30", "Why do cats purr?"] {
        let mut asked = request("idea", idea);
        let refused = client.post("/api/generations", &asked).await;
        assert_eq!(refused.error(400, "invalid_request"), "validation_failed");
        assert_eq!(refused.json()["details"][0]["code"], "too_little_content", "{idea}");
        // Without a count, the service makes as many slides as the text fills.
        asked["carouselCounts"] = json!({});
        let generation = client.completed(&asked).await;
        let slides = generation["outputs"].as_array().unwrap().len() as u64 - 1;
        assert!((1..5).contains(&slides), "{idea}: {slides}");
        assert_eq!(
            (&generation["inputType"], &generation["creditsCharged"]),
            (&json!("idea"), &json!(10 + 15 * slides))
        );
        assert!(codes(&generation["warnings"]).contains(&"copy_not_expanded"), "{:#}", generation["warnings"]);
        let pages = said(&generation);
        assert_eq!(pages.len() as u64, slides + 1);
        let known: String = idea.to_lowercase();
        for page in &pages {
            for filler in ["Tip 1", "Tip 2", "Step 1", "Introduction", "Lorem"] {
                assert!(!page.contains(filler), "{page}");
            }
            // Every number comes from the idea. A page's own number would be that of a list, and there is none.
            for number in page.split(|c: char| !c.is_ascii_digit()).filter(|n| n.len() > 1) {
                assert!(known.contains(number), "{number} of {page:?} is not in {idea:?}");
            }
        }
    }
    let found = client.get("/api/generations?inputType=idea").await.json();
    assert_eq!(found["generations"].as_array().unwrap().len(), 3);
    let long = client.post("/api/generations", &request("idea", &"é".repeat(2_001))).await;
    assert_eq!(long.error(400, "invalid_request"), "validation_failed");
}

/// The model's response to an idea: a brief if the request asks for one, otherwise a page or a carousel.
fn developed(body: &Value) -> Reply {
    let tips = [
        ("Keep one bedtime", "Also on Sundays."),
        ("Leave screens outside", "The last hour is for paper."),
        ("Cool the room", "An open window does."),
        ("Drink coffee early", "It stays in the body for hours."),
        ("Walk in the morning", "Light sets the clock."),
    ];
    if body.get("response_format").is_some() {
        let pages: Vec<Value> =
            tips.iter().map(|(head, _)| json!({"claim": head, "show": "statement", "evidence": ""})).collect();
        return Reply::json(&json!({"audience": "anyone", "promise": "Sleep", "motif": "moon", "pages": pages}));
    }
    let asked = body["messages"][1]["content"].as_str().unwrap();
    let item = |(head, body): &(&str, &str)| format!("<item head=\"{head}\">{body}</item>");
    let list = format!("<list marks=\"number\" grow=\"1\">{}</list>", tips.iter().map(item).collect::<String>());
    if asked.contains("Compose one page") {
        return Reply::Says(format!("<page><headline>5 tips for better sleep</headline>{list}</page>"));
    }
    let page = |(n, (head, body)): (usize, &(&str, &str))| {
        format!("<page><badge>{}</badge><headline>{head}</headline><text>{body}</text></page>", n + 1)
    };
    let pages: String = tips.iter().enumerate().map(page).collect();
    Reply::Says(format!(
        "<page><headline>5 tips for better sleep</headline><lead>What helps at night</lead></page>{pages}\
         <page><headline>Tonight, then</headline>{list}</page>"
    ))
}

#[tokio::test]
async fn an_idea_is_developed_by_the_model() {
    let server = Server::start(|_, body| developed(body)).await;
    let (_data, _service, client) = with_model(&server);
    let generation = client.completed(&request("idea", TIPS)).await;
    assert_eq!(codes(&generation["warnings"]), [""; 0], "{:#}", generation["warnings"]);
    let pages = said(&generation);
    assert!(pages.iter().any(|p| p.contains("Keep one bedtime") && p.contains("Walk in the morning")), "{pages:#?}");
    assert!(pages.iter().any(|p| p.starts_with("3. Cool the room")), "{pages:#?}");
    let seen = server.seen.lock().clone();
    assert_eq!(seen.len(), 3, "one call for the brief, one for the visual, one for the carousel");
    // A page that the model composed can be edited like any other.
    let cool =
        generation["outputs"].as_array().unwrap().iter().find(|o| o["altText"].as_str().unwrap().contains("Cool"));
    let path = format!("/api/images/{}/edit", id(&generation));
    let mut edit = json!({"outputId": cool.unwrap()["id"], "prompt": "set the headline to “Cool the bedroom”"});
    let proposed = client.post(&path, &edit).await.json();
    edit["confirmedInstruction"] = proposed["refinedInstruction"].clone();
    let edited = client.post(&path, &edit).await.json();
    assert_eq!(edited["version"], 2, "{proposed:#} {edited:#}");
    assert!(seen[0].0.to_lowercase().contains("authorization: bearer sk-secret"));
}

#[tokio::test]
async fn a_prompt_that_the_grammar_does_not_read_is_said_by_the_model() {
    let server = Server::start(|_, body| {
        let turns = body["messages"].as_array().unwrap();
        let told = turns.last().unwrap()["content"].as_str().unwrap();
        let answer = |clauses: &[&str], cannot: Option<&str>| {
            Reply::json(&json!({"clauses": clauses, "everywhere": false, "cannot": cannot}))
        };
        match told {
            told if told.contains("like a newspaper") => {
                assert!(told.contains("headline: “Sleep better”") && told.contains("style: "), "{told}");
                // Neither the page nor the prompt contains this number.
                answer(&["set the headline to “99 % sleep better”"], None)
            }
            told if told.contains("says 99") => {
                answer(&["set the headline face to “Newsreader”", "remove the art."], None)
            }
            told if told.contains("fly away") => answer(&[], Some("Pages stay where they are.")),
            told if told.contains("can't be used") => Reply::Says("No idea.".into()),
            _ => answer(&["do whatever you like"], None),
        }
    })
    .await;
    let (_data, _service, client) = with_model(&server);
    let text = json!({"inputType": "text", "inputContent": "# Sleep better\n\nKeep one bedtime.", "seed": 7,
        "outputFormats": ["instagram_post"], "useExactContent": true});
    let generation = client.completed(&text).await;
    let path = format!("/api/images/{}/edit", id(&generation));
    let output = generation["outputs"][0]["id"].clone();
    let asked = async |prompt: &str| {
        let answer = client.post(&path, &json!({"outputId": output, "prompt": prompt})).await;
        assert_eq!(answer.status, 200, "{prompt}: {}", String::from_utf8_lossy(&answer.body));
        answer.json()
    };
    let before = server.count();
    let read = asked("make it look like a newspaper").await;
    let instruction = read["refinedInstruction"].as_str().unwrap();
    assert!(instruction.contains("set the headline face to “Newsreader”"), "{read:#}");
    assert_eq!(server.count() - before, 2, "once, and once more for what was wrong");
    let confirmed =
        json!({"outputId": output, "prompt": "make it look like a newspaper", "confirmedInstruction": instruction});
    assert_eq!(client.post(&path, &confirmed).await.json()["version"], 2);
    let cannot = asked("let it fly away").await;
    assert_eq!(
        (&cannot["reason"], &cannot["clarificationMessage"]),
        (&json!("not_possible"), &json!("Pages stay where they are."))
    );
    let obscure = asked("frobnicate the whatsit").await;
    assert_eq!((&obscure["needsClarification"], &obscure["reason"]), (&json!(true), &json!("not_understood")));
    // A prompt that the grammar understands needs no model.
    let before = server.count();
    assert_eq!(asked("make the headline smaller").await["needsConfirmation"], true);
    assert_eq!(server.count(), before);
}

#[tokio::test]
async fn a_model_that_fails_costs_words_and_no_generation() {
    let server = Server::start(|n, _| match n % 4 {
        0 => Reply::Says("I can't do that.".into()),
        1 => Reply::Status(500, "Retry-After: 0\r\n", "{}".into()),
        2 => Reply::Bytes(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{".to_vec()),
        _ => Reply::Silence(Duration::from_secs(1)),
    })
    .await;
    let (_data, _service, client) = with_model(&server);
    for (input, content, slides) in [("idea", TIPS, 1), ("text", GERMAN, 2)] {
        let mut asked = request(input, content);
        asked["carouselCounts"] = json!({"linkedin_carousel_portrait": slides});
        let generation = client.completed(&asked).await;
        let warned = codes(&generation["warnings"]);
        assert!(warned.contains(&"copywriter_unavailable"), "{input}: {warned:?}");
        assert_eq!(warned.contains(&"copy_not_expanded"), input == "idea", "{warned:?}");
        assert_eq!(said(&generation).len(), 1 + slides);
    }
    // The idea's own words don't fill the slides that the model should have written. The generation fails and is
    // refunded.
    let created = client.create(&request("idea", TIPS)).await;
    let failed = client.finished(id(&created)).await;
    assert_eq!((&failed["error"]["code"], &failed["creditsRefunded"]), (&json!("too_little_content"), &json!(115)));
}

#[tokio::test]
async fn another_language_takes_a_model() {
    let mut english = request("text", GERMAN);
    english["language"] = json!("English");
    english["outputFormats"] = json!(["instagram_post"]);
    english["carouselCounts"] = json!({});
    // Without a model, the text stays as it is, and the pages are set in the requested language.
    let (_data, _service, client) = fresh(&UNHURRIED);
    let generation = client.completed(&english).await;
    assert_eq!(generation["language"], json!("en"));
    assert!(codes(&generation["warnings"]).contains(&"language_mismatch"), "{generation:#}");

    // With a model, the text is translated, or the generation is refunded.
    let server = Server::start(|n, _| {
        // The first response is the brief, which may be malformed; then comes the page.
        if n > 1 {
            return Reply::Status(503, "Retry-After: 0\r\n", String::new());
        }
        let lead = "A team got 64 % of its best hours back";
        Reply::Says(format!("<page><headline>The quiet morning</headline><lead>{lead}</lead></page>"))
    })
    .await;
    let (_data, _service, client) = with_model(&server);
    let generation = client.completed(&english).await;
    assert_eq!((&generation["language"], &generation["title"]), (&json!("en"), &json!("The quiet morning")));
    assert!(said(&generation)[0].contains("best hours back"), "{:?}", said(&generation));
    let created = client.create(&english).await;
    let failed = client.finished(id(&created)).await;
    assert_eq!(failed["error"]["code"], "translation_unavailable", "{failed:#}");
    assert_eq!((&failed["status"], &failed["creditsRefunded"]), (&json!("failed"), &failed["creditsCharged"]));
}

/// Sets that a capable model composed for two ideas with the service's prompts: brief and pages, after repair and
/// review. The service must use recorded sets unchanged, without asking the model again.
#[tokio::test]
async fn recorded_sets_are_set_as_they_were_composed() {
    let recorded = [
        (
            "5 tips for remote work",
            include_str!("../../data/recorded/remote-work.json"),
            include_str!("../../data/recorded/remote-work.xml"),
            "Give work one place",
        ),
        (
            "How compound interest works, for teenagers",
            include_str!("../../data/recorded/compound-interest.json"),
            include_str!("../../data/recorded/compound-interest.xml"),
            "interest",
        ),
    ];
    for (idea, brief, pages, says) in recorded {
        let server = Server::start(move |_, body| {
            let said = if body.get("response_format").is_some() { brief } else { pages };
            Reply::Says(said.to_owned())
        })
        .await;
        let (_data, _service, client) = with_model(&server);
        let slides = pages.matches("<page").count();
        let asked = json!({
            "inputType": "idea", "inputContent": idea, "outputFormats": ["linkedin_carousel_portrait"],
            "carouselCounts": {"linkedin_carousel_portrait": slides},
        });
        let generation = client.completed(&asked).await;
        assert_eq!(codes(&generation["warnings"]), [""; 0], "{:#}", generation["warnings"]);
        let told = said(&generation);
        assert_eq!(told.len(), slides);
        assert!(told.iter().any(|page| page.contains(says)), "{told:#?}");
        assert_eq!(server.count(), 2, "{idea}: one call for the brief, one for the pages, none for faults");
    }
}

/// Changes by hand are rendered without a language model, even if the result can't be shown: previews use no tokens.
#[tokio::test]
async fn a_page_that_is_changed_by_hand_asks_no_model() {
    let server = Server::start(|_, body| developed(body)).await;
    let (_data, _service, client) = with_model(&server);
    let generation = client.completed(&request("idea", TIPS)).await;
    let output = generation["outputs"][0]["id"].as_str().unwrap();
    let at = format!("/api/images/{}/outputs/{output}/page", id(&generation));
    let page = client.get(&at).await.json()["page"].as_str().unwrap().to_owned();
    let before = server.count();
    let huge = format!("<headline fit=\"giant..giant\" lines=\"1\">{}</headline></page>", "Far too long ".repeat(30));
    for (changed, status) in
        [(page.clone(), 200), (page.replace("sleep", "rest"), 200), (page.replace("</page>", &huge), 400)]
    {
        let shown = client.post(&format!("{at}/preview"), &json!({"page": changed})).await;
        assert_eq!(shown.status, status, "{:#}", shown.json());
    }
    assert_eq!(server.count(), before);
}
