/** Heads and initial data of the pages of awards: states, offices and single awards. */
import { t } from '@lingui/core/macro';
import { AwardGroupQuery } from '@nivida/contract/awards/awards';
import { inLanguage } from '@nivida/contract/i18n';
import type { Language } from '@nivida/contract/languages';
import { placeName } from '@nivida/contract/regions/states';
import { findPage, type PagePath } from '@nivida/contract/site/pages';
import * as v from 'valibot';
import type { AwardsService } from '../awards/awards.service.ts';
import { AppError } from '../base/app-error.ts';
import type { PageMetadata } from '../http/html/page-metadata.ts';

const AWARD_PAGES = { '/analysis/:state': 'state', '/analysis/offices/:id': 'office', '/awards/:id': 'award' } as const;

type AwardPage = { kind: (typeof AWARD_PAGES)[keyof typeof AWARD_PAGES]; id: string };

/** The page of awards at a path; undefined for any other path. */
function awardPageAt(path: string): AwardPage | undefined {
  const found = findPage(path);
  const kind = found && (AWARD_PAGES as Partial<Record<PagePath, AwardPage['kind']>>)[found.path];
  return kind && { kind, id: found.parameter };
}

const decoded = (part: string) => {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
};

/** The filter of a state's page, in the order of the app's calls. */
function groupQuery(query: URLSearchParams): { filter: AwardGroupQuery; text: string } {
  const given = ['department', 'district', 'category', 'band'].flatMap((name) => {
    const value = query.get(name);
    return value ? [[name, value] as const] : [];
  });
  return {
    filter: v.parse(AwardGroupQuery, Object.fromEntries(given)),
    text: `${new URLSearchParams(given.map(([name, value]) => [name, value]))}`,
  };
}

/** The answer to the API call of the page's screen; undefined for another path. */
export async function awardPageAnswer(
  awards: AwardsService,
  path: string,
  query: URLSearchParams,
): Promise<{ call: string; json: string } | undefined> {
  if (path === '/analysis') return { call: 'api/awards', json: JSON.stringify(await awards.states()) };
  const page = awardPageAt(path);
  if (!page) return undefined;
  const id = decoded(page.id);
  const key = encodeURIComponent(id);
  if (page.kind === 'office')
    return { call: `api/awards/offices/${key}`, json: JSON.stringify(await awards.office(id)) };
  if (page.kind === 'award') return { call: `api/awards/${key}`, json: JSON.stringify(await awards.award(id)) };
  const { filter, text } = groupQuery(query);
  return {
    call: `api/awards/states/${key}${text && `?${text}`}`,
    json: JSON.stringify(await awards.group(id, filter)),
  };
}

/** Finds the data of a page. Returns the function that writes its title and description. */
async function textsOf(
  awards: AwardsService,
  { kind, id }: AwardPage,
  query: URLSearchParams,
): Promise<() => Pick<PageMetadata, 'title' | 'description' | 'canonical' | 'isNoIndex'>> {
  if (kind === 'award') {
    const { award } = await awards.award(decoded(id));
    return () => ({
      title: t`Award: ${award.title}`,
      description: t`The published result of a government tender: value, bidders and dates.`,
      canonical: `/awards/${id}`,
      // The page may name a person.
      isNoIndex: true,
    });
  }
  if (kind === 'office') {
    const { id: officeId, name, department, state } = await awards.officeReference(decoded(id));
    return () => ({
      title: t`Awarded tenders: ${name}`,
      description: t`Bidders, refused bids and award prices of past tenders of ${name}, ${department}, ${{ state: placeName(state) }}.`,
      canonical: `/analysis/offices/${officeId}`,
    });
  }
  const { state, department } = await awards.place(decoded(id), groupQuery(query).filter.department);
  const place = [department, placeName(state)].filter(Boolean).join(', ');
  return () => ({
    title: t`Awarded tenders: ${place}`,
    description: t`Bidders, refused bids and award prices of past tenders in ${place}, by office.`,
    canonical: `/analysis/${encodeURIComponent(state)}${department && `?${new URLSearchParams({ department })}`}`,
  });
}

/** The head of a page of awards; undefined for another path. A page without data is 404. If the database is down, the page is not to be indexed. */
export async function awardPageMetadata(
  awards: AwardsService,
  path: string,
  query: URLSearchParams,
  origin: string,
  language: Language,
): Promise<PageMetadata | undefined> {
  const page = awardPageAt(path);
  if (!page) return undefined;
  try {
    const texts = inLanguage(language, await textsOf(awards, page, query));
    return { status: 200, ...texts, canonical: origin + texts.canonical };
  } catch (error) {
    const isMissing = error instanceof AppError;
    return inLanguage(language, () => ({
      status: isMissing ? 404 : 200,
      title: isMissing ? t`No awards known here` : t`Awarded tenders`,
      description: t`Bidders, refused bids and award prices of past government tenders.`,
      canonical: origin + path,
      isNoIndex: true,
    }));
  }
}
