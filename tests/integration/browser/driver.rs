//! Drives a browser over WebDriver (<https://www.w3.org/TR/webdriver2/>): headless Chromium with a separate profile.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

/// Timeout for conditions that must become true. Machines that run tests are busy.
const PATIENCE: Duration = Duration::from_secs(60);
/// Interval between two checks.
const PAUSE: Duration = Duration::from_millis(50);
/// The key of element references in responses (WebDriver, 12.1).
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// The programs that browser tests need.
#[derive(Clone)]
pub struct Programs {
    chromium: PathBuf,
    driver: PathBuf,
    axe: PathBuf,
}

impl Programs {
    /// Returns the programs that the environment names: `CHROMIUM`, `CHROMEDRIVER`, and `AXE`, the script of axe-core.
    /// Without them a test is skipped, or fails if `REQUIRE_BROWSER` is set.
    pub fn find() -> Option<Self> {
        let named = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.exists());
        let found = named("CHROMIUM").zip(named("CHROMEDRIVER")).zip(named("AXE"));
        let programs = found.map(|((chromium, driver), axe)| Self { chromium, driver, axe });
        assert!(
            programs.is_some() || std::env::var_os("REQUIRE_BROWSER").is_none(),
            "no browser: CHROMIUM, CHROMEDRIVER and AXE are to name what tests/run installs"
        );
        programs
    }
}

/// A browser. Dropping it closes the browser.
pub struct Browser {
    driver: Child,
    client: reqwest::Client,
    session: String,
    axe: PathBuf,
}

/// An element on a page.
pub struct Element<'b> {
    browser: &'b Browser,
    id: String,
}

impl Browser {
    /// Opens a browser with a window of 1280 × 900.
    pub async fn open(programs: &Programs) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = Command::new(&programs.driver);
        command.arg(format!("--port={port}")).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let driver = command.spawn().unwrap();
        let client = reqwest::Client::builder().timeout(PATIENCE * 2).no_proxy().build().unwrap();
        let base = format!("http://127.0.0.1:{port}");
        let mut browser = Self { driver, client, session: base.clone(), axe: programs.axe.clone() };
        let until = Instant::now() + PATIENCE;
        while browser.client.get(format!("{base}/status")).send().await.is_err() {
            assert!(Instant::now() < until, "chromedriver doesn't answer");
            tokio::time::sleep(PAUSE).await;
        }
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            "--window-size=1280,900",
        ];
        let options = json!({"binary": programs.chromium, "args": arguments});
        let wanted = json!({
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"},
            "unhandledPromptBehavior": "accept",
        });
        let begun = browser.ask("POST", "/session", json!({"capabilities": {"alwaysMatch": wanted}})).await;
        browser.session = format!("{base}/session/{}", begun["sessionId"].as_str().expect("a session"));
        browser
    }

    /// Ends the session, which closes the browser. Blocks, because a destructor can't wait for the client.
    fn close(&self) -> std::io::Result<()> {
        let Some((host, path)) = self.session.trim_start_matches("http://").split_once('/') else { return Ok(()) };
        let mut stream = TcpStream::connect(host)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        write!(stream, "DELETE /{path} HTTP/1.1\r\nHost: {host}\r\n\r\n")?;
        // Chromedriver answers when the browser has closed, and keeps the connection open.
        let _ = stream.read(&mut [0; 64])?;
        Ok(())
    }

    /// Sends a WebDriver command. Returns its value, or the error message.
    async fn try_ask(&self, method: &str, path: &str, body: Value) -> Result<Value, String> {
        let url = format!("{}{path}", self.session);
        let request = match method {
            "GET" => self.client.get(url),
            "DELETE" => self.client.delete(url),
            _ => self.client.post(url).json(&body),
        };
        let answer = request.send().await.map_err(|e| e.to_string())?;
        let good = answer.status().is_success();
        let mut said: Value = answer.json().await.map_err(|e| e.to_string())?;
        if good { Ok(said["value"].take()) } else { Err(said["value"]["message"].to_string()) }
    }

    async fn ask(&self, method: &str, path: &str, body: Value) -> Value {
        self.try_ask(method, path, body).await.unwrap_or_else(|why| panic!("{method} {path}: {why}"))
    }

    /// Opens a page and waits until it is loaded.
    pub async fn go(&self, url: &str) {
        self.ask("POST", "/url", json!({"url": url})).await;
    }

    /// Returns the current URL.
    pub async fn url(&self) -> String {
        self.ask("GET", "/url", Value::Null).await.as_str().unwrap_or_default().to_owned()
    }

    /// Runs a script and returns its result.
    pub async fn run(&self, script: &str) -> Value {
        self.ask("POST", "/execute/sync", json!({"script": script, "args": []})).await
    }

    /// Runs an asynchronous script, which may use `await`, and returns its result.
    pub async fn run_async(&self, script: &str) -> Value {
        let script = format!(
            "const done = arguments[0]; (async () => {{ {script} }})().then(v => done(v ?? null), e => done('failed: ' + e));"
        );
        self.ask("POST", "/execute/async", json!({"script": script, "args": []})).await
    }

    /// Waits until a script's condition is true.
    pub async fn until(&self, condition: &str) {
        let until = Instant::now() + PATIENCE;
        let script = format!("return Boolean({condition});");
        loop {
            let holds = self.try_ask("POST", "/execute/sync", json!({"script": script, "args": []})).await;
            if holds == Ok(Value::Bool(true)) {
                return;
            }
            if Instant::now() >= until {
                let page = self.run("return document.body.innerText").await;
                panic!(
                    "{condition}: not so in time at {}; the page says {page}; console: {:?}",
                    self.url().await,
                    self.complaints().await
                );
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Waits until the page contains this text.
    pub async fn says(&self, words: &str) {
        self.until(&format!("document.body.innerText.includes({})", json!(words))).await;
    }

    /// Waits for a visible element that matches an XPath, and returns the first one.
    pub async fn find(&self, path: &str) -> Element<'_> {
        let until = Instant::now() + PATIENCE;
        loop {
            let found = self.try_ask("POST", "/elements", json!({"using": "xpath", "value": path})).await;
            for element in found.ok().iter().flat_map(|found| found.as_array().into_iter().flatten()) {
                let id = element[ELEMENT].as_str().unwrap_or_default().to_owned();
                if self.try_ask("GET", &format!("/element/{id}/displayed"), Value::Null).await == Ok(Value::Bool(true))
                {
                    return Element { browser: self, id };
                }
            }
            if Instant::now() >= until {
                let page = self.run("return document.body.innerText").await;
                panic!("{path}: not there in time at {}; the page says {page}", self.url().await);
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Returns the form control whose label is, or begins with, `label`.
    pub async fn field(&self, label: &str) -> Element<'_> {
        let named = format!("[starts-with(normalize-space(), {})]", quoted(label));
        let by_name = format!("[starts-with(@aria-label, {})]", quoted(label));
        let path = format!(
            "//*[self::input or self::textarea or self::select][@id = //label{named}/@for] | //label{named}//*[self::input or \
             self::textarea or self::select] | //*[self::input or self::textarea or self::select]{by_name}"
        );
        self.find(&path).await
    }

    /// Clicks the button or link whose name is, or begins with, `name`. While a dialog is open, looks only in the
    /// dialog.
    pub async fn press(&self, name: &str) {
        let (name, named) = (quoted(name), "[not(ancestor::*[@hidden])][not(//dialog[@open]) or ancestor::dialog]");
        let path = format!(
            "//*[self::button or self::a or self::summary or @role='button' or @role='tab']{named}\
             [starts-with(normalize-space(), {name}) or starts-with(@aria-label, {name})]"
        );
        self.click(&path).await;
    }

    /// Clicks the first visible element at an XPath. If the page replaces the element meanwhile, clicks the new one.
    pub async fn click(&self, path: &str) {
        let until = Instant::now() + PATIENCE;
        while let Err(why) = self.find(path).await.try_click().await {
            assert!(Instant::now() < until, "{path} can't be clicked: {why}");
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Returns the first element that matches a CSS selector, visible or not.
    pub async fn hidden(&self, css: &str) -> Element<'_> {
        let found = self.ask("POST", "/element", json!({"using": "css selector", "value": css})).await;
        Element { browser: self, id: found[ELEMENT].as_str().unwrap_or_default().to_owned() }
    }

    /// Presses a key in the focused element. `\u{E007}` is Enter (WebDriver, 17.4.2).
    pub async fn key(&self, key: &str) {
        let keys = json!([{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]);
        let actions = json!({"actions": [{"type": "key", "id": "keys", "actions": keys}]});
        self.ask("POST", "/actions", actions).await;
    }

    /// Sends a Chrome DevTools Protocol command (<https://chromedevtools.github.io/devtools-protocol/>).
    async fn devtools(&self, command: &str, parameters: Value) -> Value {
        self.ask("POST", "/goog/cdp/execute", json!({"cmd": command, "params": parameters})).await
    }

    /// Sets the window size and the colour theme of a device.
    pub async fn device(&self, width: u32, height: u32, theme: &str) {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        self.devtools("Emulation.setDeviceMetricsOverride", metrics).await;
        let features = json!([
            {"name": "prefers-color-scheme", "value": theme}, {"name": "prefers-reduced-motion", "value": "reduce"},
        ]);
        self.devtools("Emulation.setEmulatedMedia", json!({"features": features})).await;
    }

    /// Takes the browser offline, or back online.
    pub async fn offline(&self, is_offline: bool) {
        self.devtools("Network.enable", json!({})).await;
        let conditions = json!({"offline": is_offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1});
        self.devtools("Network.emulateNetworkConditions", conditions).await;
    }

    /// Takes a WebP screenshot of the window.
    pub async fn picture(&self) -> Vec<u8> {
        let shot = self.devtools("Page.captureScreenshot", json!({"format": "webp", "quality": 82})).await;
        BASE64_STANDARD.decode(shot["data"].as_str().unwrap_or_default()).unwrap()
    }

    /// Returns the errors in the browser console, except for failed requests, which tests cause on purpose.
    pub async fn complaints(&self) -> Vec<String> {
        let log = self.ask("POST", "/se/log", json!({"type": "browser"})).await;
        let entries = log.as_array().cloned().unwrap_or_default().into_iter();
        let severe = entries.filter(|entry| entry["level"] == "SEVERE");
        let said = severe.map(|entry| entry["message"].as_str().unwrap_or_default().to_owned());
        said.filter(|message| !message.contains("Failed to load resource")).collect()
    }

    /// Returns the violations that axe-core rates serious or critical: rule, help text, and the first element.
    pub async fn barriers(&self) -> Vec<String> {
        let script = std::fs::read_to_string(&self.axe).unwrap();
        self.run(&script).await;
        let found = self
            .run_async(
                "const { violations } = await axe.run(document); return violations.filter(v => ['serious', \
                 'critical'].includes(v.impact)).map(v => `${v.id}: ${v.help}: ${v.nodes[0].html}: ${v.nodes[0].failureSummary}`);",
            )
            .await;
        let list = found.as_array().unwrap_or_else(|| panic!("axe-core: {found}"));
        list.iter().map(|v| v.as_str().unwrap_or_default().to_owned()).collect()
    }
}

impl Drop for Browser {
    #[expect(clippy::print_stderr, reason = "`drop` has no other way to report an error")]
    fn drop(&mut self) {
        // Chromedriver is asked to close its browser: not every version does so when it is terminated, and a browser that is
        // left behind keeps 250 MB until the machine stops.
        if let Err(why) = self.close() {
            eprintln!("The browser may be left behind: {why}");
        }
        let asked = Command::new("kill").args(["-TERM", &self.driver.id().to_string()]).status();
        if !asked.is_ok_and(|status| status.success()) {
            let _ = self.driver.kill();
        }
        let _ = self.driver.wait();
    }
}

impl Element<'_> {
    async fn ask(&self, method: &str, what: &str, body: Value) -> Value {
        self.browser.ask(method, &format!("/element/{}/{what}", self.id), body).await
    }

    /// Clicks the element once nothing covers it.
    pub async fn click(&self) {
        let until = Instant::now() + PATIENCE;
        while let Err(why) = self.try_click().await {
            assert!(Instant::now() < until, "it can't be clicked: {why}");
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Clicks the element, or says why that is not possible now.
    async fn try_click(&self) -> Result<(), String> {
        // Scrolls it to the middle: near an edge of the window, another element may cover it.
        let script = "arguments[0].scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'})";
        let body = json!({"script": script, "args": [{ELEMENT: self.id}]});
        self.browser.try_ask("POST", "/execute/sync", body).await?;
        let path = format!("/element/{}/click", self.id);
        self.browser.try_ask("POST", &path, json!({})).await.map(|_| ())
    }

    /// Types text at the end of the element. For a file input, the text is the path of a file.
    pub async fn write(&self, text: &str) {
        self.ask("POST", "value", json!({"text": text})).await;
    }

    /// Clears the element.
    pub async fn clear(&self) {
        self.ask("POST", "clear", json!({})).await;
    }

    /// Returns the element's text.
    pub async fn text(&self) -> String {
        self.ask("GET", "text", Value::Null).await.as_str().unwrap_or_default().to_owned()
    }

    /// Returns a property of the element.
    pub async fn property(&self, name: &str) -> Value {
        self.ask("GET", &format!("property/{name}"), Value::Null).await
    }
}

/// Quotes a string for XPath. The string must not contain both an apostrophe and a quotation mark.
pub fn quoted(text: &str) -> String {
    if text.contains('\'') { format!("\"{text}\"") } else { format!("'{text}'") }
}
