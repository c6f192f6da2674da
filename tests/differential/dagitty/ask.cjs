// Asks dagitty (the file r/inst/js/dagitty-alg.js of its repository) for all minimal adjustment sets.
// node ask.cjs dagitty-alg.js < questions: a JSON list of [graph, x, y]; the answer is a list of lists of sets.
const fs = require("fs");
const vm = require("vm");

const box = vm.createContext({ console });
vm.runInContext(fs.readFileSync(process.argv[2], "utf8"), box);
const { GraphParser, GraphAnalyzer } = vm.runInContext("DAGitty", box);

function minimal([text, x, y]) {
  const graph = GraphParser.parseGuess(text);
  graph.addSource(graph.getVertex(x));
  graph.addTarget(graph.getVertex(y));
  return Array.from(GraphAnalyzer.listMsasTotalEffect(graph), (set) => Array.from(set, (vertex) => vertex.id).sort());
}

console.log(JSON.stringify(JSON.parse(fs.readFileSync(0, "utf8")).map(minimal)));
