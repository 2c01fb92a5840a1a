import { t } from '@lingui/core/macro';
import { formatAge } from '@nivida/contract/format';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { NoticeRow } from '../../../data/device/schema.ts';
import { Icon } from '../../../ui/display/Icon.tsx';
import { noticeLabels, worksLabel } from '../labels.ts';
import { markNoticesRead } from './mark-read.ts';
import css from './NoticeList.module.css';

interface NoticeListProps {
  notices: readonly NoticeRow[];
  /** Names of the saved searches by their ids. */
  searchNames: ReadonlyMap<string, string>;
  now: Date;
  /** The button on a notice about a followed office. It ends following the office. */
  renderUnfollow: (office: NonNullable<NoticeRow['office']>) => ReactNode;
}

/** Notices with links to their tenders. Opening the tender marks its notices as read. */
export function NoticeList({ notices, searchNames, now, renderUnfollow }: NoticeListProps) {
  return (
    <ul className={`${css.notices} entries`}>
      {notices.map((notice) => {
        const { icon, what, detail } = noticeLabels(notice, searchNames);
        const works = worksLabel(notice);
        const isUnread = notice.readAt === null;
        return (
          <li key={notice.id}>
            <Link
              to={notice.assignment?.path ?? `/tenders/${notice.tenderId}`}
              onClick={() => notice.assignment && void markNoticesRead(notice.tenderId)}
              data-unread={isUnread || undefined}
            >
              <Icon name={icon} />
              <span className={css.words}>
                <span className={css.head}>
                  <span className={css.what} data-unread={isUnread || undefined}>
                    {what}
                  </span>
                  <span className={css.age}>
                    {isUnread && <span className={css.new}>{t`New`}</span>}
                    {formatAge(new Date(notice.at), now)}
                  </span>
                </span>
                <span className={`${css.title} s clamp`}>{notice.title}</span>
                <span className="xs muted">
                  {detail}
                  {works && ` · ${works}`}
                </span>
              </span>
            </Link>
            {notice.office && <div className={css.unfollow}>{renderUnfollow(notice.office)}</div>}
          </li>
        );
      })}
    </ul>
  );
}
