import { StandardSchemaValidationPipe } from '@nestjs/common';
import { AppError } from '../../base/app-error.ts';

type SchemaIssues = Parameters<
  NonNullable<NonNullable<ConstructorParameters<typeof StandardSchemaValidationPipe>[0]>['exceptionFactory']>
>[0];

/** Validates bodies and queries by the contract's schema. The answer has the first message of each wrong field. */
export class ContractPipe extends StandardSchemaValidationPipe {
  constructor() {
    super({ exceptionFactory: issuesToError });
  }
}

function issuesToError(issues: SchemaIssues): AppError {
  const fields: Record<string, string> = {};
  for (const { path, message } of issues) {
    const name = (path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
    fields[name] ??= message;
  }
  return new AppError('INVALID', issues[0]?.message ?? 'The request is not valid', fields);
}
