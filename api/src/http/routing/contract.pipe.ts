import { t } from '@lingui/core/macro';
import { type ArgumentMetadata, StandardSchemaValidationPipe } from '@nestjs/common';
import { currentLanguage } from '@nivida/contract/i18n';
import { AppError } from '../../base/app-error.ts';

type Schema = NonNullable<ArgumentMetadata['schema']>;
type Result = Awaited<ReturnType<Schema['~standard']['validate']>>;
type Issues = NonNullable<Result['issues']>;

/** Validates bodies and queries by the contract's schema. The answer has the first message of each wrong field. */
export class ContractPipe extends StandardSchemaValidationPipe {
  protected override validate(value: unknown, schema: Schema): never {
    const validate = () => schema['~standard'].validate(value) as Result;
    const result = validate();
    if (!result.issues) return result as never;
    // Schemas write their messages in the present language, so another language validates again.
    let read = { language: currentLanguage(), result: result as Result };
    const issues = () => {
      if (read.language !== currentLanguage()) read = { language: currentLanguage(), result: validate() };
      return read.result.issues ?? [];
    };
    throw new AppError(
      'INVALID',
      () => issues()[0]?.message ?? t`The request is not valid`,
      () => messagesByField(issues()),
    );
  }
}

function messagesByField(issues: Issues): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { path, message } of issues) {
    const name = (path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
    fields[name] ??= message;
  }
  return fields;
}
