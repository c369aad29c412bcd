//! Tests of edits through the API: propose, preview, confirm, restore, and errors.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use render_core::raster::Pixmap;
use serde_json::{Value, json};

use super::files::upload_as;
use super::pages::{Web, photograph, share_of_it};
use super::{UNHURRIED, fresh};
use crate::image;
use crate::service::{Answer, Client, Service, id};

const TEXT: &str =
    "# Sleep better\n\n- Keep one bedtime, also on Sundays\n- Cool the room to 18 °C\n- No screens in bed";
/// Timeout for conditions that must become true on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

fn visual() -> Value {
    json!({"inputType": "text", "inputContent": TEXT, "outputFormats": ["instagram_post"], "seed": 7})
}

fn carousel() -> Value {
    json!({
        "inputType": "text", "inputContent": TEXT, "seed": 7,
        "outputFormats": ["linkedin_carousel"], "carouselCounts": {"linkedin_carousel": 4},
    })
}

impl Client {
    async fn propose(&self, of: &Value, output: &Value, prompt: &str) -> Answer {
        let body = json!({"outputId": output["id"], "prompt": prompt});
        self.post(&format!("/api/images/{}/edit", id(of)), &body).await
    }

    async fn confirm(&self, of: &Value, output: &Value, prompt: &str, instruction: &Value) -> Answer {
        let body = json!({"outputId": output["id"], "prompt": prompt, "confirmedInstruction": instruction});
        self.post(&format!("/api/images/{}/edit", id(of)), &body).await
    }

    /// Runs both steps and asserts that the second makes a new version.
    pub(super) async fn edited(&self, of: &Value, output: &Value, prompt: &str) -> Value {
        let proposed = self.propose(of, output, prompt).await.json();
        assert_eq!(proposed["needsConfirmation"], true, "{prompt}: {proposed:#}");
        let done = self.confirm(of, output, prompt, &proposed["refinedInstruction"]).await;
        let answer = done.json();
        assert_eq!((done.status, &answer["creditsCharged"]), (200, &proposed["creditCost"]), "{prompt}: {answer:#}");
        answer
    }

    async fn balance(&self) -> [u64; 2] {
        let balance = self.get("/api/credits/balance").await.json();
        [&balance["balance"], &balance["reserved"]].map(|v| v.as_u64().unwrap())
    }

    /// Downloads an image and returns its pixels.
    pub(super) async fn pixels(&self, url: &Value) -> Pixmap {
        let answer = self.get(url.as_str().unwrap()).await;
        assert_eq!(answer.status, 200, "{url}");
        image::decode(&answer.body).unwrap()
    }
}

#[tokio::test]
async fn an_edit_is_seen_confirmed_and_undone() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let g = client.completed(&visual()).await;
    let before = &g["outputs"][0];
    let [money, _] = client.balance().await;
    let proposed = client.propose(&g, before, "make the headline smaller").await;
    let p = proposed.json();
    assert_eq!((proposed.status, &p["needsConfirmation"], &p["creditCost"]), (200, &json!(true), &json!(10)), "{p:#}");
    assert!(p["refinedInstruction"].as_str().unwrap().starts_with("On version 1: "), "{p:#}");
    assert_eq!(p["preview"], p["refinedInstruction"]);
    let change = &p["changes"][0];
    assert!(change["what"].as_str().unwrap().contains("headline") && change["from"] != change["to"], "{p:#}");
    let small = client.pixels(&p["previewImageUrl"]).await;
    assert_eq!((small.width, small.height), (540, 675), "its short edge");
    assert_eq!(client.generation(id(&g)).await["outputs"][0]["version"], 1);
    assert_eq!(client.balance().await, [money, 0], "nothing is charged");

    let done = client.confirm(&g, before, "make the headline smaller", &p["refinedInstruction"]).await;
    let d = done.json();
    assert_eq!((done.status, &d["version"], &d["creditsCharged"]), (200, &json!(2), &json!(10)), "{d:#}");
    assert_eq!(client.balance().await, [money - 10, 0]);
    let (old, new) = (client.pixels(&before["imageUrl"]).await, client.pixels(&d["imageUrl"]).await);
    assert_eq!((old.width, old.height), (new.width, new.height));
    assert_ne!(old.data, new.data);
    let now = client.generation(id(&g)).await;
    assert_eq!((&now["status"], &now["completedAt"]), (&g["status"], &g["completedAt"]), "it stays as it ended");
    assert_eq!(now["outputs"][0]["version"], 2);

    // Confirming again succeeds, but the instruction of another prompt for version 1 is stale.
    let again = client.confirm(&g, before, "make the headline smaller", &p["refinedInstruction"]).await.json();
    assert_eq!((&again["version"], &again["creditsCharged"]), (&json!(2), &json!(0)));
    let blue = client.edited(&g, before, "make the background navy").await;
    assert_eq!(blue["version"], 3);
    let stale = client.confirm(&g, before, "make the headline smaller", &p["refinedInstruction"]).await;
    // The image already matches the instruction, whatever else has changed.
    assert_eq!((stale.status, &stale.json()["creditsCharged"]), (200, &json!(0)));

    // By the output's id only; then restore the first version.
    let alone =
        client.post("/api/images/edit", &json!({"outputId": before["id"], "prompt": "make the headline bigger"})).await;
    assert_eq!(alone.json()["creditCost"], 10, "{}", alone.json());
    let at = format!("/api/images/{}/outputs/{}", id(&g), id(before));
    let back = client.post(&format!("{at}/restore"), &json!({"version": 1})).await;
    assert_eq!((back.status, &back.json()["output"]["version"]), (200, &json!(4)));
    assert_eq!(client.pixels(&back.json()["output"]["imageUrl"]).await.data, old.data);
    let versions = client.get(&format!("{at}/versions")).await.json()["versions"].take();
    let told: Vec<_> = versions.as_array().unwrap().iter().map(|v| (&v["version"], &v["current"])).collect();
    assert_eq!(json!(told), json!([[4, true], [3, false], [2, false], [1, false]]));
    assert_eq!(versions[2]["instruction"], p["refinedInstruction"]);
    for version in versions.as_array().unwrap() {
        client.pixels(&version["imageUrl"]).await;
    }
    assert_eq!(client.balance().await, [money - 20, 0]);
    let gone = client.confirm(&g, before, "p", &json!("On version 3: set the background colour to #ffff00")).await;
    assert_eq!(gone.error(409, "conflict"), "stale_instruction");
}

#[tokio::test]
async fn words_are_replaced_and_all_slides_change_together() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let g = client.completed(&carousel()).await;
    let slides = g["outputs"].as_array().unwrap();
    let [money, _] = client.balance().await;
    let said = client.edited(&g, &slides[0], "replace \"Sleep better\" with \"Rest well\"").await;
    assert!(said["output"]["altText"].is_string() && said["version"] == 2, "{said:#}");
    let proposed = client.propose(&g, &slides[1], "on all slides make the background black").await.json();
    assert_eq!(proposed["creditCost"], 40, "{proposed:#}");
    let done = client.edited(&g, &slides[1], "on all slides make the background black").await;
    assert_eq!(done["outputs"].as_array().unwrap().len(), 4);
    let versions: Vec<_> =
        client.generation(id(&g)).await["outputs"].as_array().unwrap().iter().map(|o| o["version"].clone()).collect();
    assert_eq!(json!(versions), json!([3, 2, 2, 2]));
    let mut dark = 0;
    for output in done["outputs"].as_array().unwrap() {
        let corner = client.pixels(&output["imageUrl"]).await.data[..3].to_vec();
        dark += usize::from(corner.iter().all(|c| *c < 40));
    }
    // A page with a coloured panel shows the panel over its background.
    assert!(dark >= 2, "{dark} of 4 slides are black");
    assert_eq!(client.balance().await, [money - 50, 0]);
    let again = client.confirm(&g, &slides[1], "p", &proposed["refinedInstruction"]).await.json();
    assert_eq!((&again["creditsCharged"], client.balance().await), (&json!(0), [money - 50, 0]));
}

#[tokio::test]
async fn what_is_not_understood_is_asked_back_and_what_is_wrong_is_refused() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let g = client.completed(&visual()).await;
    let output = &g["outputs"][0];
    let asked = client.propose(&g, output, "florble the wug until it snicks").await;
    let a = asked.json();
    assert_eq!(
        (asked.status, &a["needsClarification"], &a["reason"]),
        (200, &json!(true), &json!("not_understood")),
        "{a:#}"
    );
    assert!(a["clarificationMessage"].as_str().unwrap().len() > 10);
    let suggestions = a["suggestions"].as_array().unwrap();
    assert!((2..=3).contains(&suggestions.len()), "{a:#}");
    for suggestion in suggestions {
        let understood = client.propose(&g, output, suggestion.as_str().unwrap()).await.json();
        assert_eq!(understood["needsConfirmation"], true, "{suggestion}: {understood:#}");
    }
    for prompt in ["", "   ", &"x".repeat(10_000)] {
        assert_eq!(client.propose(&g, output, prompt).await.error(400, "invalid_request"), "invalid_prompt");
    }
    for forged in ["make it nice", "On version 1:", "On version 1: set the headline size to 99999", "; drop table"] {
        let answer = client.confirm(&g, output, "p", &json!(forged)).await;
        assert_eq!(answer.error(400, "invalid_request"), "instruction_not_understood", "{forged}");
    }
    let stranger = json!({"id": "0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e91"});
    assert_eq!(client.propose(&g, &stranger, "bigger").await.error(404, "not_found"), "output_not_found");
    assert_eq!(client.propose(&stranger, output, "bigger").await.error(404, "not_found"), "generation_not_found");
    let open = client.create(&carousel()).await;
    assert_eq!(client.propose(&open, output, "bigger").await.error(404, "not_found"), "output_not_found");
    client.finished(id(&open)).await;
}

/// Counts the files of a generation's images.
fn images(data: &Path, generation: &str) -> usize {
    let Ok(outputs) = std::fs::read_dir(data.join("store/outputs").join(generation)) else { return 0 };
    outputs.filter_map(|o| Some(std::fs::read_dir(o.ok()?.path()).ok()?.count())).sum()
}

#[tokio::test]
async fn deleting_takes_the_images_of_all_versions() {
    let (data, _service, client) = fresh(&UNHURRIED);
    let g = client.completed(&visual()).await;
    client.edited(&g, &g["outputs"][0], "make the headline smaller").await;
    assert_eq!(images(data.path(), id(&g)), 4);
    let deleted = client.send(client.request("DELETE", &format!("/api/generations/{}", id(&g)))).await.unwrap();
    assert_eq!(deleted.status, 204);
    let until = Instant::now() + PATIENCE;
    while images(data.path(), id(&g)) > 0 {
        assert!(Instant::now() < until);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Whenever the service is killed, the edit is made once and charged once.
#[tokio::test]
async fn an_edit_survives_a_kill() {
    let data = tempfile::tempdir().unwrap();
    let service = Service::start(data.path(), &UNHURRIED);
    let (key, client) = (service.key.clone().unwrap(), service.client());
    let g = client.completed(&carousel()).await;
    let output = g["outputs"][0].clone();
    let [money, _] = client.balance().await;
    let prompt = "on all slides make the background black";
    let proposed = client.propose(&g, &output, prompt).await.json();
    let body =
        json!({"outputId": output["id"], "prompt": prompt, "confirmedInstruction": proposed["refinedInstruction"]});
    let path = format!("/api/images/{}/edit", id(&g));
    let confirm = client.request("POST", &path).header("Idempotency-Key", "k").json(&body).send();
    tokio::select! {
        _ = confirm => {}
        () = tokio::time::sleep(Duration::from_millis(60)) => {}
    }
    service.kill();
    let service = Service::start(data.path(), &UNHURRIED);
    let client = Client::new(&service.base, &key);
    let until = Instant::now() + PATIENCE;
    loop {
        let again = client.request("POST", &path).header("Idempotency-Key", "k").json(&body);
        let answer = client.send(again).await.unwrap();
        if answer.status == 200 {
            break;
        }
        assert_eq!(answer.error(409, "conflict"), "edit_in_progress");
        assert!(Instant::now() < until);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let versions: Vec<_> =
        client.generation(id(&g)).await["outputs"].as_array().unwrap().iter().map(|o| o["version"].clone()).collect();
    assert_eq!((json!(versions), client.balance().await), (json!([2, 2, 2, 2]), [money - 40, 0]));
}

#[tokio::test]
async fn another_photograph_comes_by_its_url() {
    let canary = Web::start(|_| ("200 OK\r\nContent-Type: image/png".into(), photograph()));
    let inside = canary.url("/photo.png");
    let gone = Arc::new(AtomicBool::new(false));
    let is_gone = Arc::clone(&gone);
    let web = Web::start(move |path| match path {
        "/photo.png" if !is_gone.load(Ordering::SeqCst) => ("200 OK\r\nContent-Type: image/png".into(), photograph()),
        "/inside.png" => (format!("302 Found\r\nLocation: {inside}"), Vec::new()),
        _ => ("404 Not Found\r\nContent-Length: 0".into(), Vec::new()),
    });
    let host = web.address().to_string();
    let (_data, _service, client) = fresh(&[&UNHURRIED[..], &["--allow-host", &host]].concat());
    let g = client.completed(&carousel()).await;
    let cover = &g["outputs"][0];
    for path in ["/missing.png", "/inside.png"] {
        let said = client.propose(&g, cover, &format!("replace the photo with {}", web.url(path))).await.json();
        assert_eq!((&said["needsClarification"], &said["reason"]), (&json!(true), &json!("not_possible")), "{said:#}");
    }
    assert_eq!(canary.times_asked("/photo.png"), 0);
    let point = client.propose(&g, &g["outputs"][1], &format!("add the photo {}", web.url("/photo.png"))).await.json();
    assert_eq!(point["changes"][0]["what"], "photo", "a point has room for one: {point:#}");

    let prompt = format!("use this photo: {}", web.url("/photo.png"));
    let proposed = client.propose(&g, cover, &prompt).await.json();
    assert!(share_of_it(&client.pixels(&proposed["previewImageUrl"]).await) > 0.15, "{proposed:#}");
    // The confirmed edit uses the photograph shown in the preview, whatever the URL returns by now.
    gone.store(true, Ordering::SeqCst);
    let asked = web.times_asked("/photo.png");
    let done = client.confirm(&g, cover, &prompt, &proposed["refinedInstruction"]).await;
    let answer = done.json();
    assert_eq!((done.status, &answer["creditsCharged"]), (200, &json!(10)), "{answer:#}");
    assert_eq!(web.times_asked("/photo.png"), asked);
    let after = client.generation(id(&g)).await;
    assert!(share_of_it(&client.pixels(&after["outputs"][0]["imageUrl"]).await) > 0.15);
    // The photograph stays when the text changes.
    client.edited(&g, cover, "make the headline smaller").await;
    let after = client.generation(id(&g)).await;
    assert!(share_of_it(&client.pixels(&after["outputs"][0]["imageUrl"]).await) > 0.15);
    let cropped = client.edited(&g, cover, "remove the photo").await;
    let after = client.generation(id(&g)).await;
    assert!(share_of_it(&client.pixels(&after["outputs"][0]["imageUrl"]).await) < 0.01, "{cropped:#}");
}

#[tokio::test]
async fn a_photograph_of_ones_own_takes_the_place_of_another() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let g = client.completed(&carousel()).await;
    let cover = &g["outputs"][0];
    let upload = upload_as(&client, "image/png", &photograph()).await;
    let prompt = format!("use this photo: upload:{upload}");
    let proposed = client.propose(&g, cover, &prompt).await.json();
    assert!(share_of_it(&client.pixels(&proposed["previewImageUrl"]).await) > 0.15, "{proposed:#}");
    let done = client.confirm(&g, cover, &prompt, &proposed["refinedInstruction"]).await;
    assert_eq!((done.status, &done.json()["creditsCharged"]), (200, &json!(10)), "{:#}", done.json());
    let after = client.generation(id(&g)).await;
    assert!(share_of_it(&client.pixels(&after["outputs"][0]["imageUrl"]).await) > 0.15);

    let prompt = "use this photo: upload:0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e92";
    let missing = client.propose(&g, cover, prompt).await;
    assert_eq!((missing.status, &missing.json()["code"]), (404, &json!("upload_not_found")), "{:#}", missing.json());
}

#[tokio::test]
async fn designs_are_tried_and_confirmed() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let g = client.completed(&carousel()).await;
    let output = &g["outputs"][1];
    let at = format!("/api/images/{}/outputs/{}/designs", id(&g), output["id"].as_str().unwrap());
    let before = client.balance().await;
    for aspect in ["layout", "style", "palette", "typeface", "background"] {
        let said = client.get(&format!("{at}?aspect={aspect}")).await.json();
        let designs = said["designs"].as_array().unwrap();
        assert!((2..=8).contains(&designs.len()), "{aspect}: {said:#}");
        for design in designs {
            assert!(design["image"].as_str().unwrap().starts_with("data:image/png;base64,"));
            assert_eq!((&design["creditCost"], &design["changedImages"]), (&json!(10), &json!(1)), "{design:#}");
        }
    }
    assert_eq!(client.balance().await, before, "nothing is charged");
    let all = client.get(&format!("{at}?aspect=style&allSlides=true")).await.json();
    let design = &all["designs"][0];
    assert_eq!((&design["creditCost"], &design["changedImages"]), (&json!(40), &json!(4)), "{design:#}");
    let done = client.confirm(&g, output, "another style", &design["refinedInstruction"]).await;
    assert_eq!((done.status, &done.json()["creditsCharged"]), (200, &json!(40)), "{:#}", done.json());
    let wrong = client.get(&format!("{at}?aspect=mood")).await;
    assert_eq!((wrong.status, &wrong.json()["details"][0]["field"]), (400, &json!("aspect")), "{:#}", wrong.json());
}

#[tokio::test]
async fn a_page_is_read_changed_by_hand_and_put_back() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let g = client.completed(&carousel()).await;
    let output = &g["outputs"][1];
    let at = format!("/api/images/{}/outputs/{}/page", id(&g), output["id"].as_str().unwrap());
    let read = client.get(&at).await.json();
    let page = read["page"].as_str().unwrap();
    assert_eq!((&read["version"], page.starts_with("<page")), (&json!(1), true), "{read:#}");
    let before = client.balance().await;
    let put = async |body: Value| client.send(client.request("PUT", &at).json(&body)).await.unwrap();

    // An unchanged page costs nothing and makes no version.
    let same = put(json!({"page": page})).await.json();
    assert_eq!((&same["version"], &same["creditsCharged"]), (&json!(1), &json!(0)), "{same:#}");
    // Faults name their elements.
    let wrong = page.replacen("</page>", "<text id=\"mine\" fit=\"hugest\">More</text></page>", 1);
    let refused = put(json!({"page": wrong})).await;
    let faults = refused.json();
    assert_eq!((refused.status, &faults["details"][0]["element"]), (400, &json!("mine")), "{faults:#}");
    assert_eq!(put(json!({"page": 7})).await.status, 400);
    assert_eq!(put(json!({"page": page, "version": 9})).await.status, 409);
    // A preview shows the result.
    let more =
        page.replacen("<row id=\"foot\"", "<caption id=\"mine\">Ask Ada for the list</caption><row id=\"foot\"", 1);
    assert_ne!(more, page);
    let trial = client.post(&format!("{at}/preview"), &json!({"page": more})).await.json();
    assert_eq!(trial["creditCost"], 10, "{trial:#}");
    assert!(trial["image"].as_str().unwrap().starts_with("data:image/png;base64,"));
    // Added elements get an id, which edits can use.
    let named = trial["page"].as_str().unwrap().split_once(">Ask Ada").unwrap().0.rsplit_once("id=\"").unwrap().1;
    let named = named.split('"').next().unwrap();
    let mine = trial["elements"].as_array().unwrap().iter().find(|element| element["id"] == named).unwrap();
    assert!(mine["box"][1].as_f64().unwrap() > 0.5 && mine["size"].as_f64().unwrap() > 0.0, "{mine:#}");
    let faulty = client.post(&format!("{at}/preview"), &json!({"page": wrong})).await;
    assert_eq!((faulty.status, &faulty.json()["details"][0]["element"]), (400, &json!("mine")));
    assert_eq!(client.balance().await, before, "nothing is charged");

    let done = put(json!({"page": more, "version": 1})).await;
    let answer = done.json();
    assert_eq!(
        (done.status, &answer["version"], &answer["creditsCharged"]),
        (200, &json!(2), &json!(10)),
        "{answer:#}"
    );
    assert_eq!(client.balance().await[0], before[0] - 10);
    let again = client.get(&at).await.json();
    assert!(again["page"].as_str().unwrap().contains("Ask Ada for the list"), "{again:#}");
    // The changed page can be edited by prompt, and the first version can be restored.
    let edited = client.edited(&g, output, "Change the headline to “Rest first”").await;
    assert_eq!(edited["version"], 3);
    let now = client.get(&at).await.json();
    let now = now["page"].as_str().unwrap();
    assert!(now.contains("Rest first") && now.contains("Ask Ada for the list"), "{now}");
    assert_eq!(client.get(&format!("/api/images/{}/outputs/{}/page", id(&g), id(&g))).await.status, 404);
}

/// Correcting a word is free, even for an account without credits; larger changes are charged. The operator can disable
/// free corrections.
#[tokio::test]
async fn corrected_words_cost_nothing() {
    for (free, cost) in [("20", 0), ("0", 10)] {
        let (_data, _service, client) = fresh(&[&UNHURRIED[..], &["--free-corrections", free]].concat());
        let g = client.completed(&visual()).await;
        let output = &g["outputs"][0];
        let at = format!("/api/images/{}/outputs/{}/page", id(&g), output["id"].as_str().unwrap());
        let page = client.get(&at).await.json()["page"].as_str().unwrap().to_owned();
        let before = client.balance().await;
        let corrected = page.replacen("bedtime", "bed-time", 1);
        assert_ne!(corrected, page);
        let put = client.request("PUT", &at).json(&json!({"page": corrected}));
        let done = client.send(put).await.unwrap().json();
        assert_eq!((&done["version"], &done["creditsCharged"]), (&json!(2), &json!(cost)), "{done:#}");
        assert_eq!(client.balance().await, [before[0] - cost, 0]);
        // The same correction by prompt is free as well; a new headline is not.
        let proposed = client.propose(&g, output, "Change the headline to “Rest well every single night”").await.json();
        assert_eq!(proposed["creditCost"], 10, "{proposed:#}");
    }
}
