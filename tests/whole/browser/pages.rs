//! Requirements for every page: accessibility (axe-core), speed, size, and responsive layout.

use serde_json::json;

use super::Visit;

/// Maximum bytes of a page over the wire, not counting images.
const PAGE_BYTES: u64 = 300_000;
/// Maximum milliseconds until first paint. It takes well under 100 on an idle machine; tests share theirs.
const FIRST_PAINT_MS: u64 = 1_500;
/// Window sizes: phone, tablet, desktop.
const WINDOWS: [(u32, u32); 3] = [(390, 844), (820, 1180), (1440, 900)];

/// Returns what loading a page took: bytes without images, and the time of first paint.
const LOADED: &str = "const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]; \
    const bytes = all.filter(e => e.initiatorType !== 'img' && !e.name.includes('/files/')).reduce((n, e) => n + e.transferSize, 0); \
    return [bytes, performance.getEntriesByName('first-paint')[0]?.startTime ?? 0];";

#[tokio::test]
async fn every_page_is_for_everybody_quick_and_fits() {
    let Some(visit) = Visit::signed_in().await else { return };
    let carousel =
        json!({"outputFormats": ["instagram_post", "instagram_carousel"], "carouselCounts": {"instagram_carousel": 3}});
    let generation = visit.made(carousel).await;
    let (id, output) = (generation["id"].as_str().unwrap(), generation["outputs"][0]["id"].as_str().unwrap());
    let brand =
        visit.client.post("/api/brands", &json!({"name": "Acme", "colors": {"primary": "#0a5f38"}})).await.json();
    let brand = brand["brand"]["id"].as_str().unwrap();
    let (generation, image) = (format!("/generations/{id}"), format!("/generations/{id}/outputs/{output}"));
    let brand = format!("/brands/{brand}");
    let pages = [
        "/",
        "/library",
        &generation,
        &image,
        "/brands",
        "/brands/new",
        &brand,
        "/integrations",
        "/credits",
        "/account",
        "/fleet",
        "/nowhere",
        "/login",
        "/welcome",
    ];
    for (at, path) in pages.into_iter().enumerate() {
        for (round, theme) in ["light", "dark"].into_iter().enumerate() {
            let (width, height) = WINDOWS[(at + round) % WINDOWS.len()];
            visit.browser.device(width, height, theme).await;
            visit.browser.run("performance.clearResourceTimings(); return 0").await;
            visit.go(path).await;
            visit.browser.until("document.readyState === 'complete' && !document.querySelector('.skeleton')").await;
            let loaded = visit.browser.run(LOADED).await;
            let (bytes, paint) = (loaded[0].as_u64().unwrap_or(0), loaded[1].as_f64().unwrap_or(0.0) as u64);
            assert!(bytes <= PAGE_BYTES, "{path}: {bytes} bytes");
            assert!(paint <= FIRST_PAINT_MS, "{path}: something is seen after {paint} ms");
            let barriers = visit.browser.barriers().await;
            assert!(barriers.is_empty(), "{path}, {theme}: {barriers:#?}");
            for (width, height) in WINDOWS {
                visit.browser.device(width, height, theme).await;
                visit.browser.until("document.documentElement.scrollWidth <= innerWidth").await;
            }
            visit.has_no_complaints().await;
        }
    }
}

#[tokio::test]
async fn pages_let_nothing_run_but_their_own() {
    let Some(visit) = Visit::signed_in().await else { return };
    for path in ["/", "/library", "/login"] {
        visit.go(path).await;
        let script = "const s = document.createElement('script'); s.textContent = 'window.ran = 1'; document.body.append(s); \
            document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.ran = 2\">'); \
            await new Promise(r => setTimeout(r, 200)); return window.ran ?? null;";
        assert_eq!(visit.browser.run_async(script).await, serde_json::Value::Null, "{path}");
    }
}
