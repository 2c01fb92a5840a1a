import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { saveListFile } from '../../features/added-list/list-actions.ts';
import { addOwnFiles } from '../../features/shared-files/shared-file-actions.ts';
import { showToast } from '../../ui/feedback/toast.ts';

/** The part of the File Handling API that is used. TypeScript does not know it. */
interface LaunchQueue {
  setConsumer(consumer: (launch: { files: readonly { getFile(): Promise<File> }[] }) => void): void;
}

const isList = ({ name }: File): boolean => /\.(?:csv|tsv|txt)$/i.test(name);

/** Takes the files that the operating system opens with the app: a CSV becomes a list of tenders, others are shared files. */
export function useOpenedFiles(): void {
  const navigate = useNavigate();
  useEffect(() => {
    async function open(handles: readonly { getFile(): Promise<File> }[]) {
      const files = await Promise.all(handles.map((handle) => handle.getFile()));
      const lists = files.filter(isList);
      const others = files.filter((file) => !isList(file));
      if (others.length > 0) await addOwnFiles(others, null);
      for (const list of lists) {
        const problem = await saveListFile(list);
        if (problem !== undefined) showToast({ text: problem });
      }
      if (lists.length > 0) void navigate('/add-tenders');
    }
    const { launchQueue } = window as { launchQueue?: LaunchQueue };
    launchQueue?.setConsumer(({ files }) => files.length > 0 && void open(files).catch(() => undefined));
  }, [navigate]);
}
