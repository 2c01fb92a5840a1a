import { t } from '@lingui/core/macro';
import { type ArgumentMetadata, StandardSchemaValidationPipe } from '@nestjs/common';
import { AppError } from '../../base/app-error.ts';

type Schema = NonNullable<ArgumentMetadata['schema']>;
type Result = Awaited<ReturnType<Schema['~standard']['validate']>>;

/** Validates bodies and queries by the contract's schema. The answer has the first message of each wrong field. */
export class ContractPipe extends StandardSchemaValidationPipe {
  // Schemas write their messages in the present language, so each language validates again.
  protected override validate(value: unknown, schema: Schema): never {
    const validate = () => schema['~standard'].validate(value) as Result;
    const result = validate();
    if (!result.issues) return result as never;
    const fields = () => messagesByField(validate());
    throw new AppError('INVALID', () => Object.values(fields())[0] ?? t`The request is not valid`, fields);
  }
}

function messagesByField({ issues = [] }: Result): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { path, message } of issues) {
    const name = (path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
    fields[name] ??= message;
  }
  return fields;
}
