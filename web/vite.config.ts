// Builds one JavaScript and one CSS file into the Python package, and a record of what they were built from.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { defineConfig, type Plugin } from "vite";

const here = import.meta.dirname;
const target = join(here, "..", "src", "weft", "report", "static");
const bundled = ["fflate"];

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "node_modules") return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? sourceFiles(path) : [path];
  });
}

// The same as tests/unit/report/test_static.py computes: for each file its path, a zero byte, its content, a zero byte.
function sourcesHash(): string {
  const hash = createHash("sha256");
  const named = sourceFiles(here).map((path) => [relative(here, path).split(sep).join("/"), path] as const);
  for (const [name, path] of named.sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(name).update("\0").update(readFileSync(path, "utf8").replaceAll("\r\n", "\n")).update("\0");
  }
  return hash.digest("hex");
}

// The licences of what is bundled ask to be handed on with every copy, and a report is one.
function licences(): string {
  const texts = bundled.map((name) => {
    const folder = join(here, "node_modules", name);
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} has no licence file`);
    return `${name} ${version}\n\n${readFileSync(join(folder, file), "utf8").trim()}`;
  });
  return `/*!\nBundled with this page:\n\n${texts.join("\n\n----\n\n").replaceAll("*/", "* /")}\n*/\n`;
}

function record(): Plugin {
  return {
    name: "record",
    closeBundle() {
      const script = join(target, "report.js");
      writeFileSync(script, licences() + readFileSync(script, "utf8").replaceAll(/<(?=\/script|!--)/gi, "\\x3c"));
      const files = Object.fromEntries(
        ["report.css", "report.js"].map((name) => [
          name,
          createHash("sha256").update(readFileSync(join(target, name))).digest("hex"),
        ]),
      );
      writeFileSync(join(target, "build.json"), `${JSON.stringify({ sources: sourcesHash(), files }, null, 1)}\n`);
    },
  };
}

export default defineConfig({
  root: here,
  publicDir: false,
  plugins: [record()],
  build: {
    outDir: target,
    emptyOutDir: true,
    target: "es2022",
    cssCodeSplit: false,
    modulePreload: false,
    lib: { entry: join(here, "src", "main.ts"), formats: ["iife"], name: "weftReport", fileName: () => "report.js", cssFileName: "report" },
  },
});
