/** Reads XML with saxen, which reports what is not well-formed. */
import { Parser } from 'saxen';

/** The texts of the elements with this name, as they are in `xml`. Throws for XML that is not well-formed. */
export function xmlElements(xml: string, name: string): string[] {
  const parser = new Parser();
  const problems: string[] = [];
  parser.on('error', (error) => problems.push(error.message));
  parser.on('warn', (error) => problems.push(error.message));
  parser.parse(xml);
  if (problems.length > 0) throw new Error(problems.join('; '));
  return xml.match(new RegExp(`<${name}>.*?</${name}>`, 'gs')) ?? [];
}
