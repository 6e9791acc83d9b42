import { Button, Field, Form } from '@constancia/web';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../member/member.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { usePersonText } from '../text/language.ts';
import { RequestDialog } from './request-dialog.tsx';

/** Asks for verifications that persons keep, and finds a request by its id: the API has no list of them. */
export function Consents() {
  const { words } = usePersonText();
  const { consents } = words;
  const may = useMay();
  const navigate = useNavigate();
  const [asks, setAsks] = useState(false);
  return (
    <>
      <PageHead title={consents.title} lead={consents.lead}>
        {may('identity:write') && (
          <Button look="primary" onPress={() => setAsks(true)}>
            {consents.create}
          </Button>
        )}
      </PageHead>
      <h2>{consents.find}</h2>
      <p className="help">{consents.findLead}</p>
      <Form
        submit={consents.show}
        onValues={({ id = '' }) => void navigate({ to: '/persons/consents/$id', params: { id } })}
      >
        <Field
          name="id"
          label={consents.id}
          hint={consents.idHint}
          pattern="wpr_[0-9a-z]{26}"
          maxLength={30}
          required
        />
      </Form>
      {asks && <RequestDialog onClose={() => setAsks(false)} />}
    </>
  );
}
