import ts from 'typescript'

/** Rules on the syntax tree of one file. */

const TEST_FUNCTIONS = new Set(['it', 'test', 'describe', 'suite', 'bench'])
const NEVER = new Set(['only', 'todo', 'fixme', 'skipIf', 'runIf'])
const UNFINISHED = /\b(TODO|FIXME)\b/
const SILENCED = /@ts-(ignore|nocheck)\b|@ts-expect-error\s*$/
const COMMENT = /\/\/|\/\*|\*\/|^\s*\*/

/** Visits a node and everything below it. */
function walk(node, visit) {
  visit(node)
  ts.forEachChild(node, child => walk(child, visit))
}

const lineOf = (source, position) => source.getLineAndCharacterOfPosition(position).line

function isExportedDefault(node) {
  if (ts.isExportAssignment(node)) return !node.isExportEquals
  if (ts.isExportSpecifier(node)) return node.name.text === 'default'
  return (
    ts.canHaveModifiers(node) && node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)
  )
}

function checkDefaultExports(source) {
  const found = []
  walk(source, node => {
    if (isExportedDefault(node)) {
      found.push({ line: lineOf(source, node.getStart(source)) + 1, message: 'default export' })
    }
  })
  return found
}

/** A barrel only passes on what other files export. */
function checkBarrel(source) {
  const isReExport = statement => ts.isExportDeclaration(statement)
  const isImport = statement => ts.isImportDeclaration(statement) && statement.importClause !== undefined
  const { statements } = source
  const isBarrel = statements.some(isReExport) && statements.every(one => isReExport(one) || isImport(one))
  return isBarrel ? [{ line: 1, message: 'a file that only re-exports (barrel)' }] : []
}

/** `test`, `test.describe`, `describe.concurrent`: the name at the start of a chain of properties. */
function rootName(expression) {
  return ts.isPropertyAccessExpression(expression) ? rootName(expression.expression) : expression.getText()
}

/** A skip needs a reason and must not be a test that is switched off for good. */
function isBareSkip(call) {
  const [first, second] = call.arguments
  return (
    first === undefined ||
    (second !== undefined && (ts.isFunctionLike(second) || ts.isObjectLiteralExpression(second))) ||
    first.kind === ts.SyntaxKind.TrueKeyword ||
    (ts.isStringLiteralLike(first) && second === undefined && TEST_FUNCTIONS.has(rootName(call.expression)))
  )
}

function checkTests(source) {
  const found = []
  walk(source, node => {
    if (!ts.isPropertyAccessExpression(node)) return
    const report = message => found.push({ line: lineOf(source, node.name.getStart(source)) + 1, message })
    const name = node.name.text
    if (name === 'waitForTimeout') report('waits for a time instead of for what it expects')
    const isOnTest = TEST_FUNCTIONS.has(rootName(node))
    if (isOnTest && NEVER.has(name)) report(`test marked .${name}`)
    const call = ts.isCallExpression(node.parent) && node.parent.expression === node ? node.parent : undefined
    const isSkip = name === 'skip' && (isOnTest || rootName(node) === 'ctx' || rootName(node) === 'context')
    if (isSkip && (call === undefined || isBareSkip(call))) report('skipped without a condition or a reason')
  })
  return found
}

/** The start and end of all literal text, in which words mean nothing to us. */
function literalRanges(source) {
  const ranges = []
  walk(source, node => {
    const isTemplatePart = ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)
    if (
      ts.isStringLiteralLike(node) ||
      isTemplatePart ||
      ts.isJsxText(node) ||
      ts.isRegularExpressionLiteral(node)
    ) {
      ranges.push([node.getStart(source), node.getEnd()])
    }
  })
  return ranges
}

function checkComments(source, lines) {
  const ranges = literalRanges(source)
  const isLiteral = position => ranges.some(([start, end]) => position >= start && position < end)
  const starts = source.getLineStarts()
  return lines.flatMap((line, at) =>
    [
      [UNFINISHED, 'unfinished: do it, or file it'],
      [SILENCED, 'silences the compiler without saying why'],
    ].flatMap(([pattern, message]) => {
      const match = pattern.exec(line)
      return match && !isLiteral(starts[at] + match.index) ? [{ line: at + 1, message }] : []
    }),
  )
}

/** The statement or class member around a node, where a comment that explains it may stand. */
function enclosing(node) {
  return ts.isStatement(node) || ts.isClassElement(node) || !node.parent ? node : enclosing(node.parent)
}

/** `as T` needs a comment on its line, on the line before, or on or before the line its statement starts on. */
function checkCasts(source, lines) {
  const found = new Map()
  walk(source, node => {
    if (!ts.isAsExpression(node) && !ts.isTypeAssertionExpression(node)) return
    if (ts.isConstTypeReference(node.type)) return
    const line = lineOf(source, node.type.getStart(source))
    const start = lineOf(source, enclosing(node).getStart(source))
    const isExplained = [line, line - 1, start, start - 1].some(at => COMMENT.test(lines[at] ?? ''))
    if (!isExplained)
      found.set(line, { line: line + 1, message: 'a cast (`as`) without a comment that says why it holds' })
  })
  return [...found.values()]
}

/** Checks TypeScript and JavaScript modules; `mayExportDefault` holds for the configuration files of tools. */
export function checkSyntax(path, text, lines, { mayExportDefault }) {
  const kind = path.endsWith('.tsx')
    ? ts.ScriptKind.TSX
    : path.endsWith('.ts')
      ? ts.ScriptKind.TS
      : ts.ScriptKind.JS
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind)
  return [
    ...(mayExportDefault ? [] : checkDefaultExports(source)),
    ...checkBarrel(source),
    ...checkTests(source),
    ...checkComments(source, lines),
    ...checkCasts(source, lines),
  ]
}
