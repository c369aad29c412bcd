//! Tests of reordering, removing and adding slides of a carousel, and of their page numbers.

use serde_json::{Value, json};

use super::{UNHURRIED, fresh};
use crate::service::{Answer, Client, id};

const TEXT: &str =
    "# Sleep better\n\n- Keep one bedtime, also on Sundays\n- Cool the room to 18 °C\n- No screens in bed";

impl Client {
    async fn arrange(&self, of: &Value, slides: &[Value]) -> Answer {
        let path = format!("/api/images/{}/slides", id(of));
        let request = self.request("PUT", &path).json(&json!({ "slides": slides }));
        self.send(request).await.unwrap()
    }

    /// Returns the page number shown on an output, such as "2 / 4".
    async fn counter(&self, of: &Value, output: &Value) -> Option<String> {
        let path = format!("/api/images/{}/outputs/{}/page", id(of), id(output));
        let page = self.get(&path).await.json()["page"].as_str().unwrap().to_owned();
        let after = page.split_once("id=\"counter\"")?.1;
        Some(after.split_once('>')?.1.split('<').next()?.to_owned())
    }
}

fn four_slides() -> Value {
    json!({
        "inputType": "text", "inputContent": TEXT, "seed": 7,
        "outputFormats": ["linkedin_carousel"], "carouselCounts": {"linkedin_carousel": 4},
    })
}

fn kept(output: &Value) -> Value {
    json!({"outputId": output["id"]})
}

#[tokio::test]
async fn slides_change_places_and_their_numbers_follow() {
    let (_data, service, client) = fresh(&UNHURRIED);
    let made = client.completed(&four_slides()).await;
    let first: Vec<Value> = made["outputs"].as_array().unwrap().clone();
    let balance = client.get("/api/credits/balance").await.json()["balance"].as_u64().unwrap();
    assert_eq!(client.counter(&made, &first[2]).await.as_deref(), Some("3 / 4"));

    // A slide edited by hand has its number in its own text.
    let at = format!("/api/images/{}/outputs/{}/page", id(&made), id(&first[2]));
    let page = client.get(&at).await.json()["page"].as_str().unwrap().replacen("</headline>", "!</headline>", 1);
    let put = client.send(client.request("PUT", &at).json(&json!({ "page": page }))).await.unwrap();
    assert_eq!(put.status, 200, "{:#}", put.json());

    let order = [kept(&first[0]), kept(&first[2]), kept(&first[1]), json!({"copyOf": first[1]["id"]}), kept(&first[3])];
    let arranged = client.arrange(&made, &order).await;
    let answer = arranged.json();
    assert_eq!((arranged.status, &answer["creditsCharged"]), (200, &json!(15)), "{answer:#}");
    let generation = &answer["generation"];
    assert_eq!(
        (&generation["status"], &generation["carouselCounts"]["linkedin_carousel"]),
        (&json!("completed"), &json!(5))
    );
    let shown = generation["outputs"].as_array().unwrap();
    let counters = [
        client.counter(&made, &shown[1]).await,
        client.counter(&made, &shown[2]).await,
        client.counter(&made, &shown[3]).await,
    ];
    assert_eq!(counters.map(Option::unwrap), ["2 / 5", "3 / 5", "4 / 5"]);
    assert_eq!((&shown[1]["id"], &shown[2]["id"]), (&first[2]["id"], &first[1]["id"]));
    assert_eq!(shown[3]["altText"], shown[2]["altText"], "a copy says the same");
    assert_ne!(shown[3]["imageUrl"], shown[2]["imageUrl"]);
    let image = client.get(shown[3]["imageUrl"].as_str().unwrap()).await;
    assert_eq!((image.status, image.header("content-type")), (200, "image/png"));

    // Without the copy and in the first order, the carousel is as before, and nothing is charged.
    let order: Vec<Value> = first.iter().map(kept).collect();
    let back = client.arrange(&made, &order).await.json();
    assert_eq!((&back["creditsCharged"], &back["generation"]["outputCount"]), (&json!(0), &json!(4)));
    assert_eq!(back["generation"]["removedOutputs"].as_array().unwrap().len(), 1);
    for (n, output) in back["generation"]["outputs"].as_array().unwrap().iter().enumerate() {
        assert_eq!(output["id"], first[n]["id"]);
        let counter = client.counter(&made, output).await;
        assert!(counter.is_none_or(|said| said == format!("{} / 4", n + 1)));
    }
    let now = client.get("/api/credits/balance").await.json()["balance"].as_u64().unwrap();
    assert_eq!(now, balance - 15, "one copy; the correction by hand is free");

    // A derived generation has the slides in their current order.
    let swapped = client.arrange(&made, &[kept(&first[0]), kept(&first[3]), kept(&first[1])]).await;
    assert_eq!(swapped.status, 200);
    let more = client.post(&format!("/api/generations/{}/variations", id(&made)), &json!({"count": 1})).await.json();
    let more = client.finished(id(&more["generation"])).await;
    assert_eq!(
        (&more["status"], &more["carouselCounts"]["linkedin_carousel"]),
        (&json!("completed"), &json!(3)),
        "{more:#}"
    );
    assert!(service.stop().success());
}

#[tokio::test]
async fn slides_are_arranged_and_edits_undone_by_prompt() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let made = client.completed(&four_slides()).await;
    let first: Vec<Value> = made["outputs"].as_array().unwrap().clone();
    let path = format!("/api/images/{}/edit", id(&made));
    let ask = |output: Value, prompt: &'static str| {
        let body = json!({"outputId": output["id"], "prompt": prompt});
        let (client, path) = (&client, &path);
        async move { client.post(path, &body).await.json() }
    };
    let confirm = |output: Value, instruction: Value| {
        let body = json!({"outputId": output["id"], "prompt": "p", "confirmedInstruction": instruction});
        let (client, path) = (&client, &path);
        async move { client.post(path, &body).await }
    };
    let slides = async || client.generation(id(&made)).await["outputs"].as_array().unwrap().clone();

    // There is nothing to undo yet. Then an edit of all slides is undone in one step.
    let nothing = ask(first[1].clone(), "undo that").await;
    assert_eq!((&nothing["needsClarification"], &nothing["reason"]), (&json!(true), &json!("not_possible")));
    let proposed = ask(first[1].clone(), "make the background navy on all slides").await;
    let done = confirm(first[1].clone(), proposed["refinedInstruction"].clone()).await.json();
    let changed = done["outputs"].as_array().unwrap().len();
    assert!(changed > 1, "{done:#}");
    let undo = ask(first[1].clone(), "undo").await;
    assert_eq!((&undo["creditCost"], &undo["changedImages"]), (&json!(0), &json!(changed)), "{undo:#}");
    let undone = confirm(first[1].clone(), undo["refinedInstruction"].clone()).await;
    assert_eq!((undone.status, &undone.json()["creditsCharged"]), (200, &json!(0)), "{:#}", undone.json());
    assert_eq!(undone.json()["outputs"].as_array().unwrap().len(), changed);
    let again = confirm(first[1].clone(), undo["refinedInstruction"].clone()).await;
    assert_eq!((again.status, &again.json()["version"]), (200, &json!(3)), "it holds: {:#}", again.json());

    // A copy costs as much as a slide, and an instruction that names removed slides is stale.
    let copy = ask(first[1].clone(), "duplicate this slide").await;
    assert_eq!(copy["creditCost"], 15, "{copy:#}");
    assert_eq!(copy["changes"][0]["to"], "1, 2, copy of 2, 3, 4");
    let copied = confirm(first[1].clone(), copy["refinedInstruction"].clone()).await;
    assert_eq!((copied.status, &copied.json()["creditsCharged"]), (200, &json!(15)), "{:#}", copied.json());
    assert_eq!(slides().await.len(), 5);

    // A new slide has the prompt's text and the look of the slide before it.
    let added = ask(first[1].clone(), "add a slide after this one saying “Any questions?”").await;
    assert_eq!(
        (&added["creditCost"], &added["changes"][0]["to"]),
        (&json!(15), &json!("1, 2, new: “Any questions?”, 3, 4, 5"))
    );
    let answer = confirm(first[1].clone(), added["refinedInstruction"].clone()).await;
    assert_eq!((answer.status, &answer.json()["creditsCharged"]), (200, &json!(15)), "{:#}", answer.json());
    let new = slides().await[2].clone();
    assert!(new["altText"].as_str().unwrap().contains("Any questions?"), "{new:#}");
    let page = client.get(&format!("/api/images/{}/outputs/{}/page", id(&made), id(&new))).await.json();
    assert!(page["page"].as_str().unwrap().contains("Any questions?"), "{page:#}");
    let dropped = ask(first[1].clone(), "delete the slide that says any questions").await;
    assert_eq!(dropped["changes"][0]["to"], "1, 2, 4, 5, 6", "{dropped:#}");
    assert_eq!(confirm(first[1].clone(), dropped["refinedInstruction"].clone()).await.status, 200);

    // Removes the slide that the prompt is sent for.
    let gone = ask(first[2].clone(), "Delete this slide, please").await;
    assert_eq!((&gone["creditCost"], &gone["changes"][0]["to"]), (&json!(0), &json!("1, 2, 3, 5")), "{gone:#}");
    let removed = confirm(first[2].clone(), gone["refinedInstruction"].clone()).await;
    assert_eq!(removed.status, 200, "{:#}", removed.json());
    let outputs = removed.json()["outputs"].as_array().unwrap().len();
    assert_eq!(
        (outputs, &removed.json()["output"]["id"]),
        (4, &first[2]["id"]),
        "all that are left, and the one asked about"
    );
    let again = confirm(first[2].clone(), gone["refinedInstruction"].clone()).await;
    assert_eq!((again.status, &again.json()["creditsCharged"]), (200, &json!(0)), "it holds: {:#}", again.json());
    let left = slides().await;
    assert!(left.len() == 4 && left.iter().all(|slide| slide["id"] != first[2]["id"]));
    let moved = ask(first[3].clone(), "move this slide to the start").await;
    let moved = confirm(first[3].clone(), moved["refinedInstruction"].clone()).await;
    assert_eq!(moved.status, 200, "{:#}", moved.json());
    assert_eq!(slides().await[0]["id"], first[3]["id"]);
    let few = ask(first[3].clone(), "delete slide 9").await;
    assert_eq!(few["needsClarification"], true, "{few:#}");
}
