import { ButtonLink } from '../ui/Button.tsx';
import { Sheet } from '../ui/Sheet.tsx';

/** A page of the route table that is not there yet, under its own title. */
export function ComingPage({ title }: { title: string }) {
  return (
    <div className="page">
      <title>{`${title} · Nivida`}</title>
      <Sheet stack>
        <h1>{title}</h1>
        <p className="muted">This page is being built. Tenders can be searched and read already.</p>
        <div className="row">
          <ButtonLink look="main" to="/tenders">
            View Tenders
          </ButtonLink>
          <ButtonLink to="/">Return Home</ButtonLink>
        </div>
      </Sheet>
    </div>
  );
}
