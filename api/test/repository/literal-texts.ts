/** Finds texts of app and server that go through no macro of Lingui, so that no catalogue can translate them. */
import { type NodePath, parseSync, traverse, types } from '@babel/core';

const MACROS = new Set(['t', 'msg', 'plural', 'select', 'Trans', 'Plural']);
/** Attributes whose text a user sees or hears. */
const SHOWN_ATTRIBUTE =
  /^(?:aria-(?:label|description|roledescription|valuetext)|title|placeholder|alt|label|hint|text|heading|summary|note|empty|description|caption|message|reason|submitText|unit)$/;
/** Calls whose strings are names for the program: errors for developers, selectors, keys. */
const PROGRAM_CALL =
  /Error$|^(?:forPrograms|querySelector(?:All)?|closest|matches|getElementById|(?:add|remove)EventListener|[gs]etItem|matchMedia|createElement|get|set|has|append|header|(?:read|write|clear)\w*Setting|withLock|test|includes|startsWith)$/;

/** Calls of the server whose texts a user reads. */
const ANSWER_CALL = /^(?:AppError|invalidField|unprocessable|otpError|takenConflict|backupFull|inLanguage)$/;

const startsLikeText = /^[A-Z][a-z'’]+(?:[ .,:…?!]|$)/;
const hasWords = /[A-Za-z,.’] [a-zA-Z“(]/;
const isText = (text: string): boolean => startsLikeText.test(text) || (hasWords.test(text) && /[a-z]{2}/.test(text));

function nameOf(node: types.Node | null | undefined): string {
  if (types.isIdentifier(node) || types.isJSXIdentifier(node)) return node.name;
  if (types.isJSXNamespacedName(node)) return node.name.name;
  if (types.isMemberExpression(node)) return nameOf(node.property);
  return '';
}

function isMacro({ node }: NodePath): boolean {
  if (types.isTaggedTemplateExpression(node)) return MACROS.has(nameOf(node.tag));
  if (types.isCallExpression(node)) return MACROS.has(nameOf(node.callee));
  return types.isJSXElement(node) && MACROS.has(nameOf(node.openingElement.name));
}

const isShownAttribute = (node: types.Node): boolean =>
  types.isJSXAttribute(node) && SHOWN_ATTRIBUTE.test(nameOf(node.name));

/** True for the error or the message of an answer. */
function isAnswer({ node, parentPath }: NodePath): boolean {
  if (types.isNewExpression(node) || types.isCallExpression(node)) return ANSWER_CALL.test(nameOf(node.callee));
  const isOfMacro = parentPath?.parentPath && isMacro(parentPath.parentPath);
  return types.isObjectProperty(node) && nameOf(node.key) === 'message' && !isOfMacro;
}

/** True for a string that the program reads and no user. */
function isForProgram({ node }: NodePath): boolean {
  if (types.isNewExpression(node) || types.isCallExpression(node)) return PROGRAM_CALL.test(nameOf(node.callee));
  if (types.isJSXAttribute(node)) return !isShownAttribute(node);
  if (types.isVariableDeclarator(node)) return /KEY$/.test(nameOf(node.id));
  return (
    types.isThrowStatement(node) ||
    types.isImportDeclaration(node) ||
    (types.isExportDeclaration(node) && 'source' in node && node.source !== null) ||
    types.isTSType(node)
  );
}

/** The literal texts of a file, each with its line: '12: Try again'. Of the server only those of answers. */
export function literalTexts(code: string, file: string): string[] {
  const isServer = file.startsWith('api/');
  const isShown = (path: NodePath) => (isServer ? isAnswer(path) : isShownAttribute(path.node));
  const found: string[] = [];
  const ast = parseSync(code, {
    filename: file,
    babelrc: false,
    configFile: false,
    parserOpts: { plugins: ['typescript', 'jsx', 'decorators-legacy'] },
  });
  const report = (path: NodePath, text: string) => {
    const { parent } = path;
    // Keys and names of the program begin with a small letter.
    const isKey = !/^[A-Z“]/.test(text.trim()) && !path.findParent(({ node }) => types.isJSX(node));
    const isName =
      isKey ||
      types.isBinaryExpression(parent) ||
      types.isSwitchCase(parent) ||
      (types.isObjectProperty(parent) && parent.key === path.node);
    // The nearest decides: a macro may contain an element with an attribute.
    const nearest = path.findParent((each) => isMacro(each) || isShown(each) || isForProgram(each));
    if (isName || (nearest ? !isShown(nearest) : isServer)) return;
    found.push(`${path.node.loc?.start.line}: ${text.trim().replace(/\s+/g, ' ')}`);
  };
  if (ast)
    traverse(ast, {
      JSXText: (path) => void (/[A-Za-z]{2}/.test(path.node.value) && report(path, path.node.value)),
      StringLiteral: (path) => void (isText(path.node.value) && report(path, path.node.value)),
      TemplateLiteral: (path) => {
        const written = path.node.quasis.map(({ value }) => value.cooked ?? '').join('…');
        const text = written.replaceAll(/<[^>]*>/g, ' ');
        if (isText(text)) report(path, text);
      },
    });
  return found;
}
