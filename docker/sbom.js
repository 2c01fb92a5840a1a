/**
 * `node docker/sbom.js`: prints the packages of a release as CycloneDX, read from package-lock.json. `npm sbom --omit=dev`
 * leaves out packages that a development dependency needs too (npm/cli issue 7909), such as the database's driver.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

if (process.argv.includes('--help')) {
  process.stdout.write(
    'Usage: node docker/sbom.js\n\nPrints the packages of a release, their licences and checksums as CycloneDX JSON.\nNIVIDA_VERSION: the version of the release\n',
  );
  process.exit();
}

const root = join(import.meta.dirname, '..');
const read = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));
const { name, version, license } = read('package.json');
const { packages } = read('package-lock.json');

const licencesOf = (text) =>
  text === undefined ? undefined : [/[() ]/.test(text) ? { expression: text } : { license: { id: text } }];

const components = Object.entries(packages)
  .filter(([path, { dev, devOptional, link }]) => path.includes('node_modules/') && !dev && !devOptional && !link)
  // Native parts of the compiler, which Nest and Valibot may use.
  .filter(([path]) => !path.includes('node_modules/@typescript/'))
  .map(([path, locked]) => {
    // An alias has the name of its package beside it.
    const named = locked.name ?? path.split('node_modules/').at(-1);
    const purl = `pkg:npm/${named.replace('@', '%40')}@${locked.version}`;
    const [algorithm, digest] = locked.integrity.split('-');
    return {
      'bom-ref': purl,
      type: 'library',
      name: named,
      version: locked.version,
      purl,
      hashes: [{ alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') }],
      licenses: licencesOf(locked.license),
    };
  });

const sbom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: {
    component: {
      'bom-ref': name,
      type: 'application',
      name,
      version: process.env.NIVIDA_VERSION || version,
      licenses: licencesOf(license),
    },
  },
  // The same package may be installed at several places.
  components: [...new Map(components.map((component) => [component.purl, component])).values()],
};
process.stdout.write(`${JSON.stringify(sbom, null, 2)}\n`);
