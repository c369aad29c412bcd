//! Distinguishes data tables from layout, and converts them to Markdown.

use dom_query::NodeRef;

use super::inline;

/// Limits of rows and columns.
const ROWS: usize = 200;
const COLUMNS: usize = 20;
/// Characters of a data table's longest cell.
const CELL: usize = 300;

/// A data table.
pub(super) struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// A cell of the page.
struct Cell {
    text: String,
    heads: bool,
    across: usize,
    down: usize,
}

impl Table {
    /// Reads a table element; returns `None` for a layout table.
    pub fn read(table: &NodeRef<'_>) -> Option<Self> {
        if table.attr("role").is_some_and(|r| matches!(&*r, "presentation" | "none")) {
            return None;
        }
        let lays_out = |n: NodeRef<'_>| {
            ["table", "h1", "h2", "h3", "h4", "blockquote", "pre", "article", "section"].iter().any(|t| n.has_name(t))
        };
        if table.descendants_it().any(lays_out) {
            return None;
        }
        let rows: Vec<NodeRef<'_>> = table.descendants_it().filter(|n| n.has_name("tr")).take(ROWS).collect();
        let mut grid = Grid::default();
        for row in &rows {
            let in_head = row.parent().is_some_and(|p| p.has_name("thead"));
            let cells: Vec<Cell> = row.children_it(false).filter_map(|c| cell(&c)).take(COLUMNS).collect();
            grid.add(cells, in_head);
        }
        grid.table()
    }

    /// Returns the Markdown, with a line break at its end.
    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|c| inline::escaped(c).replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rule = format!("|{}\n", " --- |".repeat(self.header.len()));
        line(&self.header) + &rule + &self.rows.iter().map(|r| line(r)).collect::<String>()
    }
}

fn cell(node: &NodeRef<'_>) -> Option<Cell> {
    let heads = node.has_name("th");
    if !heads && !node.has_name("td") {
        return None;
    }
    let span = |name: &str, most: usize| {
        node.attr(name).and_then(|v| v.trim().parse::<usize>().ok()).unwrap_or(1).clamp(1, most)
    };
    Some(Cell {
        text: inline::plain(&node.text()),
        heads,
        across: span("colspan", COLUMNS),
        down: span("rowspan", ROWS),
    })
}

/// Cells by row and column; a cell that spans several is repeated.
#[derive(Default)]
struct Grid {
    rows: Vec<Vec<String>>,
    /// Leading rows that hold column headings.
    heads: usize,
    /// By column: the text of a cell that spans down, and for how many more rows.
    reaching: Vec<(String, usize)>,
}

impl Grid {
    fn add(&mut self, cells: Vec<Cell>, in_head: bool) {
        if cells.is_empty() {
            return;
        }
        let heads = in_head || cells.iter().all(|c| c.heads);
        let mut row: Vec<String> = Vec::new();
        let mut reaching = std::mem::take(&mut self.reaching);
        let mut cells = cells.into_iter();
        loop {
            let column = row.len();
            if column >= COLUMNS {
                break;
            }
            if let Some((text, rows)) = reaching.get_mut(column).filter(|(_, rows)| *rows > 0) {
                *rows -= 1;
                row.push(text.clone());
                continue;
            }
            let Some(cell) = cells.next() else { break };
            for _ in 0..cell.across.min(COLUMNS - column) {
                let place = row.len();
                if reaching.len() <= place {
                    reaching.resize(place + 1, (String::new(), 0));
                }
                reaching[place] = (cell.text.clone(), cell.down - 1);
                row.push(cell.text.clone());
            }
        }
        self.reaching = reaching;
        if heads && self.heads == self.rows.len() {
            self.heads += 1;
        }
        self.rows.push(row);
    }

    fn table(mut self) -> Option<Table> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let long = self.rows.iter().flatten().any(|c| c.chars().count() > CELL);
        if self.rows.len() < 2 || columns < 2 || long {
            return None;
        }
        // A table of header cells alone has one header row.
        if self.heads == self.rows.len() {
            self.heads = 1;
        }
        for row in &mut self.rows {
            row.resize(columns, String::new());
        }
        let rows = self.rows.split_off(self.heads);
        let header = (0..columns).map(|column| {
            let mut parts: Vec<&str> = Vec::new();
            for row in &self.rows {
                if !row[column].is_empty() && !parts.contains(&row[column].as_str()) {
                    parts.push(&row[column]);
                }
            }
            parts.join(" ")
        });
        Some(Table { header: header.collect(), rows })
    }
}
